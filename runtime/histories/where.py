"""Which questions a study uses: ``where: {type: [fact], evidence: conversation}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.records import Question

FILTERS = {
    "type": "questions of these types",
    "evidence": "questions all of whose evidence is from these sources",
    "answerable": "true: questions that have an answer; false: those to abstain from",
}
"""The filters and what each keeps."""

Where = dict[str, tuple[str, ...]]
"""Filter to the values that it lets through."""


def parse_where(given: Mapping[str, Any] | Sequence[str] | None) -> Where:
    """Read filters as a study or the command line gives them.

    Args:
        given: a mapping of filter to a value or a list of values, or texts such as ``type=fact,temporal``.

    Returns:
        The filters, all of which must hold.

    Raises:
        UserError: an unknown filter, or no value.
    """
    items: Iterable[tuple[Any, Any]]
    if given is None:
        return {}
    if isinstance(given, Mapping):
        items = given.items()
    else:
        if wrong := next((text for text in given if "=" not in text), None):
            raise UserError(f"where {wrong!r}: write FILTER=VALUE, as in evidence=conversation")
        items = [(text.partition("=")[0].strip(), text.partition("=")[2].split(",")) for text in given]
    where: Where = {}
    for key, raw in items:
        if key not in FILTERS:
            hint = nearest(str(key), FILTERS)
            known = ", ".join(FILTERS)
            raise UserError(f"where: unknown filter {key!r}" + (f"; {hint}" if hint else "") + f" (known: {known})")
        values = tuple(word for item in (raw if isinstance(raw, list) else [raw]) if (word := _word(key, item)))
        if not values:
            raise UserError(f"where: filter {key!r} has no value")
        where[key] = where.get(key, ()) + values
    return where


def _word(key: str, raw: Any) -> str:
    """One value of a filter."""
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if not isinstance(raw, str | int):
        raise UserError(f"where: filter {key!r} takes a word or a list of words, not {raw!r}")
    return str(raw).strip()


def keep(where: Where, sets: Sequence[tuple[Dataset, Sequence[Question]]]) -> list[list[Question]]:
    """The questions that pass every filter, for each data set.

    A question whose evidence could not be traced to a record passes ``evidence`` only where the source that it speaks
    of does; one without any evidence does not pass it.

    Args:
        where: the filters.
        sets: each data set with its questions.

    Returns:
        The questions kept, in order, for each data set.

    Raises:
        UserError: a value that no question of any of the data sets has.
    """
    labelled = [
        [(question, _labels(question, sources)) for question in questions] for questions, sources in _sourced(sets)
    ]
    for key, values in where.items():
        known = sorted({label for group in labelled for _, labels in group for label in labels[key]} - {""})
        for value in values:
            if _plain(value) not in {_plain(name) for name in known}:
                hint = nearest(value, known)
                listed = ", ".join(known) or "none at all"
                raise UserError(
                    f"where: no question has {key} {value!r}"
                    + (f"; {hint}" if hint else "")
                    + f" (there are: {listed})"
                )
    return [[question for question, labels in group if _passes(where, labels)] for group in labelled]


def _sourced(
    sets: Sequence[tuple[Dataset, Sequence[Question]]],
) -> Iterable[tuple[Sequence[Question], Mapping[str, str]]]:
    """The questions of each data set, with the source of each of its records."""
    for dataset, questions in sets:
        history = dataset.history()
        yield questions, {record_id: history.sources[i] for i, record_id in enumerate(history.ids)}


def _labels(question: Question, sources: Mapping[str, str]) -> dict[str, set[str]]:
    """What the filters look at; an unknown source is empty."""
    evidence = {sources.get(entry.record, "") for entry in question.evidence}
    evidence.update(question.meta.get("unresolved", {}).values())
    return {
        "type": {question.type},
        "evidence": evidence,
        "answerable": {"true" if question.answerable else "false"},
    }


def _passes(where: Where, labels: Mapping[str, set[str]]) -> bool:
    """Whether every filter lets it through."""
    for key, values in where.items():
        wanted = {_plain(value) for value in values}
        if not labels[key] or not all(_plain(label) in wanted for label in labels[key]):
            return False
    return True


def _plain(word: str) -> str:
    """A word without differences of case, ``-``, ``_`` and space."""
    return word.casefold().replace("-", "_").replace(" ", "_")
