"""Share of the gold answer's content words, numbers and dates that stand in the context.

It checks that evidence coverage was not bought by throwing the answer away. Of the gold answer are looked for, each
distinct one once and all with the same weight:

* **dates** with at least a month and a day or a year, whichever way they are written: a date of the context counts
  when it has the same day, month and year as far as the gold date gives them. Relative dates are ordinary words.
* **numbers** outside dates, in digits or in words: ``1,200`` is 1200, ``$12.50`` is 12.5, ``five`` is 5, ``8:30`` is
  the clock time 8:30. The day and month inside a date of the context are no numbers; its year is.
* **content words**: folded words without English function words, by their stem (Snowball's English stemmer). In
  scripts without spaces between words a run of characters counts where the context contains it.

An answer of function words alone is looked for by those. A yes or no is in no context, so that such answers are not
measured, nor are questions without an answer or that are not answerable. Of several gold answers the best one counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.runtime.records import Question, Value
from designsearch.search.metrics.dates import Date, find_dates
from designsearch.search.metrics.fold import fold
from designsearch.search.metrics.lines import Line, figures, figures_of, joined_words, lines_of, outside
from designsearch.search.metrics.numbers import SMALL, spell
from designsearch.search.metrics.stop_words import STOP_WORDS
from designsearch.search.metrics.typed import as_text, canonical
from designsearch.search.metrics.words import has_stem, spaced, stem

_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(w for w, v in SMALL.items() if v >= 20)})[-\s](?P<ones>one|two|three|four|five|six|seven"
    rf"|eight|nine)|(?P<one>{'|'.join(SMALL)}))\b"
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Needles:
    """What is looked for of one gold answer.

    Attributes:
        stems: stems of content words.
        parts: runs of characters in scripts without spaces.
        numbers: each as (canonical digits, its words with a space before, between and after, or an empty string).
        dates: dates with the parts that the answer gives.
    """

    stems: frozenset[str]
    parts: frozenset[str]
    numbers: frozenset[tuple[str, str]]
    dates: frozenset[Date]

    def __len__(self) -> int:
        """Number of things looked for."""
        return len(self.stems) + len(self.parts) + len(self.numbers) + len(self.dates)


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The gold answers of a set of questions: shape (questions,), one entry a gold answer that can be looked for."""

    needles: tuple[tuple[Needles, ...], ...]

    def __len__(self) -> int:
        """Number of questions."""
        return len(self.needles)


def prepare(questions: Sequence[Question]) -> AnswerSet:
    """Take the gold answers apart, once for all contexts to come."""
    return AnswerSet(tuple(_of_question(question) for question in questions))


def answer_recall(answers: AnswerSet, q: int, context_text: str) -> float | None:
    """Share of the gold answer of question ``q`` that stands in the context, between 0 and 1.

    Returns:
        ``None`` where the question has no answer that could stand in a text.
    """
    needles = answers.needles[q]
    if not needles:
        return None
    lines = lines_of(context_text)
    words = joined_words(lines)
    return max((words_found(one, lines, words) + figures_found(one, lines, words)) / len(one) for one in needles)


def needles_of(value: Value) -> Needles:
    """What to look for of one gold answer."""
    text = fold(as_text(value))
    dates, digits = figures(text)
    text = outside(text, list(find_dates(text)))
    numbers = digits | _in_words(text)
    words = {word for word in spaced(_NUMBER_WORD.sub(" ", text)).split() if not word[0].isdigit()}
    only_function_words = not dates and not numbers and words <= STOP_WORDS
    content = words if only_function_words else words - STOP_WORDS
    parts = {word for word in content if _UNSPACED.search(word)}
    return Needles(
        stems=frozenset(stem(word) for word in content - parts),
        parts=frozenset(parts),
        numbers=frozenset((digits, _spelled(digits)) for digits in numbers),
        dates=dates,
    )


def _of_question(question: Question) -> tuple[Needles, ...]:
    if not question.answerable:
        return ()
    golds = [g for g in (question.answer, *question.alternatives) if canonical(g, "boolean") is None]
    return tuple(needles for needles in (needles_of(gold) for gold in golds) if len(needles))


def _in_words(text: str) -> set[str]:
    """Canonical digits of the numbers in words."""
    found = set()
    for match in _NUMBER_WORD.finditer(text):
        value = SMALL[match["one"]] if match["one"] else SMALL[match["tens"]] + SMALL[match["ones"]]
        found.add(str(value))
    return found


def _spelled(digits: str) -> str:
    return f" {spell(int(digits))} " if digits.isdigit() and int(digits) < 100 else ""


def words_found(needles: Needles, lines: Sequence[Line], words: str) -> int:
    """How many content words stand in the lines of a context with those spaced words."""
    parts = sum(any(part in line.folded for line in lines) for part in needles.parts)
    return parts + sum(has_stem(wanted, words) for wanted in needles.stems)


def figures_found(needles: Needles, lines: Sequence[Line], words: str) -> int:
    """How many numbers and dates stand in the lines of a context with those spaced words."""
    if not needles.numbers and not needles.dates:
        return 0
    dates, numbers = figures_of(lines)
    found = sum(any(written.says(wanted) for written in dates) for wanted in needles.dates)
    years = {str(written.year) for written in dates}
    spoken = sum(
        digits in numbers or digits in years or (form != "" and form in words) for digits, form in needles.numbers
    )
    return found + spoken
