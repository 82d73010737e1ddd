"""Overlap of an answer's words with the gold answer's, as the data sets' own evaluators count it."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp

import Stemmer

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_ARTICLES_AND = re.compile(r"\b(a|an|the|and)\b")
_CLOSED_ANSWERS = frozenset({"yes", "no", "noanswer"})


def squad_normal(text: str) -> str:
    """Lower case, ASCII punctuation and articles removed, white space collapsed.

    Source: the SQuAD 1.1 evaluation script (Rajpurkar et al. 2016).
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def squad_exact_match(prediction: str, gold: str) -> bool:
    """Whether both are the same after SQuAD's normalisation."""
    return squad_normal(prediction) == squad_normal(gold)


def squad_f1(prediction: str, gold: str) -> float:
    """F1 over the words as a multiset, after SQuAD's normalisation; 0 where either is empty (as in SQuAD 1.1)."""
    return _f1(squad_normal(prediction).split(), squad_normal(gold).split())


def hotpot_f1(prediction: str, gold: str) -> float:
    """SQuAD's F1, but 0 where one side is ``yes``, ``no`` or ``noanswer`` and the other differs.

    Source: the HotpotQA evaluation script (Yang et al. 2018).
    """
    left, right = squad_normal(prediction), squad_normal(gold)
    if left != right and (left in _CLOSED_ANSWERS or right in _CLOSED_ANSWERS):
        return 0.0
    return _f1(left.split(), right.split())


def locomo_normal(text: str) -> str:
    """SQuAD's normalisation with ``and`` among the articles.

    Source: LoCoMo's ``task_eval/evaluation.py`` (Maharana et al. 2024).
    """
    return " ".join(_ARTICLES_AND.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def locomo_f1(prediction: str, gold: str) -> float:
    """F1 over the Porter stems of the words, after LoCoMo's normalisation.

    The stemmer is Porter's own algorithm; LoCoMo's script uses NLTK's extension of it, which differs in a few endings.
    """
    return _f1(_stems(locomo_normal(prediction)), _stems(locomo_normal(gold)))


def locomo_multi_f1(prediction: str, gold: str) -> float:
    """LoCoMo's score of multi-hop questions (category 1): both sides are lists with commas between.

    The mean over the gold items of the best F1 that one predicted item reaches.
    """
    predicted = [item.strip() for item in prediction.split(",")]
    wanted = [item.strip() for item in gold.split(",")]
    return sum(max(locomo_f1(p, g) for p in predicted) for g in wanted) / len(wanted)


def bleu1(prediction: str, gold: str) -> float:
    """Modified unigram precision times the brevity penalty; 0 for an empty prediction.

    Lower case, punctuation and symbols become spaces, articles stay. The penalty is ``exp(1 - gold/predicted)`` in
    words where the prediction is not the longer one. Source: Papineni et al. 2002, with one reference and n = 1.
    """
    predicted, wanted = _bleu_words(prediction), _bleu_words(gold)
    if not predicted:
        return 0.0
    clipped = (Counter(predicted) & Counter(wanted)).total()
    penalty = 1.0 if len(predicted) > len(wanted) else exp(1 - len(wanted) / len(predicted))
    return penalty * clipped / len(predicted)


def best(metric: Callable[[str, str], float], prediction: str, golds: Sequence[str]) -> float:
    """The metric against the gold answer that fits best; 0 where there is none."""
    return max((float(metric(prediction, gold)) for gold in golds), default=0.0)


def _f1(predicted: Sequence[str], wanted: Sequence[str]) -> float:
    common = (Counter(predicted) & Counter(wanted)).total()
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


@lru_cache(maxsize=1)
def _porter() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("porter")


def _stems(text: str) -> list[str]:
    stems: list[str] = _porter().stemWords(text.split())
    return stems


def _bleu_words(text: str) -> list[str]:
    """The words with every punctuation mark and symbol (Unicode classes P and S) turned into a space."""
    return "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in text.lower()).split()
