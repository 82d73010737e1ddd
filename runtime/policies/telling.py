"""The telling words of a question, and which of them a unit holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from designsearch.dsl.design import RAW
from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.indexes.lexical import Corpus
from designsearch.runtime.indexes.postings import Postings
from designsearch.runtime.lexical_tokens import Stem, stem_all, words
from designsearch.runtime.memory import Memory, Store

STEM: Stem = "english"


class Telling:
    """Weighs the words of questions by how few units hold them, and looks for them in units.

    The tokens of the units are those of the index that ``bm25`` builds; nothing is read again for a question.

    Args:
        memory: whose units they are.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._corpora: dict[str, Corpus] = {}
        self._held: dict[tuple[int, tuple[str, ...]], frozenset[str]] = {}

    def weights(self, text: str) -> dict[str, float]:
        """The stems of a question's content words that some unit holds, each with log(1 + units / units with it)."""
        content = dict.fromkeys(word for word in words(text) if word not in ENGLISH)
        found: dict[str, float] = {}
        for stem in stem_all(list(content), STEM):
            count = sum(one.frequency(stem) for one in self._postings)
            if count:
                found[stem] = float(np.log1p(self._memory.size / count))
        return found

    def held(self, unit: int, wanted: Iterable[str]) -> frozenset[str]:
        """Which of some stems a unit's own text holds."""
        stems = tuple(wanted)
        key = (unit, stems)
        if key not in self._held:
            store = self._memory.stores[self._memory.source_of(unit)[0]]
            corpus, local = self._corpus(store), unit - store.base
            tokens = set(corpus.tokens[corpus.offsets[local] : corpus.offsets[local + 1]].tolist())
            self._held[key] = frozenset(stem for stem in stems if corpus.vocabulary.get(stem) in tokens)
        return self._held[key]

    def _corpus(self, store: Store) -> Corpus:
        if store.name not in self._corpora:
            self._corpora[store.name] = store.corpus(RAW, STEM, "none")
        return self._corpora[store.name]

    @cached_property
    def _postings(self) -> list[Postings]:
        return [store.postings(RAW, STEM, "none") for store in self._memory.stores.values()]


def share(held: Iterable[str], weights: Mapping[str, float]) -> float:
    """The share of the weight of a question's words that some of them have; 0 where it has none."""
    total = sum(weights.values())
    return sum(weights[stem] for stem in held) / total if total else 0.0
