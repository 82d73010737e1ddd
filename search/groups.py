"""Questions that must not be told apart: those that share a gold record, and those that ask the same."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.records import Question


def group_questions(questions: Sequence[Question]) -> list[tuple[str, ...]]:
    """The ids of one history's questions in groups that share no gold record with each other.

    Returns:
        Sorted groups of sorted ids, whatever the order of the questions.
    """
    parent = {question.id: question.id for question in questions}

    def root(node: str) -> str:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    first: dict[tuple[str, str], str] = {}
    for question in questions:
        marks = [("record", entry.record) for entry in question.evidence]
        marks.append(("words", " ".join(question.question.casefold().split())))
        for mark in marks:
            other = first.setdefault(mark, question.id)
            parent[root(question.id)] = root(other)
    groups: dict[str, list[str]] = {}
    for question in questions:
        groups.setdefault(root(question.id), []).append(question.id)
    return sorted(tuple(sorted(group)) for group in groups.values())
