"""What a model reads of a candidate: when it was, who said it, and the beginning of its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.dsl.moments import Moment, day
from designsearch.runtime.memory import Memory
from designsearch.runtime.record_messages import message
from designsearch.runtime.token_counter import TokenCounter


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate of one question.

    Attributes:
        question: its position in the batch.
        text: what is read of the candidate.
    """

    question: int
    text: str


def candidate_texts(units: Iterable[int], view: str, tokens: int, m: Memory) -> dict[int, str]:
    """The text of each unit as a model reads it, by global id: the view's text cut to ``tokens``, with its head."""
    ids = sorted(set(units))
    stores = list(m.stores.values())
    owners = m.store_of(np.array(ids, np.int64)).tolist()
    texts = [stores[s].texts(view)[unit - stores[s].base] for s, unit in zip(owners, ids, strict=True)]
    cut = cut_all(texts, tokens, m.services.counter)
    return {unit: _headed(unit, text, m) for unit, text in zip(ids, cut, strict=True)}


def _headed(unit: int, text: str, m: Memory) -> str:
    """The text behind its time and author; behind the day alone where several records speak."""
    row = int(m.first_records[unit])
    if len(m.source_of(unit)[1]) == 1:
        return message(m.history, row, text)
    date = day(Moment(None, m.history.time_texts[row]))
    return f"{date}: {text}" if date else text


def cut_all(texts: Sequence[str], tokens: int, counter: TokenCounter) -> list[str]:
    """Each text, cut to so many tokens where it is longer, and marked as cut."""
    lengths = counter.count_all(texts).tolist()
    return [
        text if length <= tokens else counter.truncate(text, tokens) + " ..."
        for text, length in zip(texts, lengths, strict=True)
    ]
