"""Policies that do what a test says, and short ways to write their actions."""

from __future__ import annotations

from designsearch.runtime.episodes.states import Add, Decision, Search, Skip, Stop
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.records import Query


class Scripted:
    """Takes the next action of a row's script; an action may be made from the state, an error is raised.

    Args:
        memory: whose units notes are about.
        scripts: the actions of each row, or of all.
    """

    fingerprint = "scripted"

    def __init__(self, memory, *scripts):
        self.memory = memory
        self.scripts = scripts
        self.calls = []
        self.taken = {}

    def act(self, states, rows):
        self.calls.append(list(rows))
        return [self.next(state, row) for state, row in zip(states, rows, strict=True)]

    def next(self, state, row):
        script = self.scripts[row % len(self.scripts)]
        at = self.taken.get(row, 0)
        self.taken[row] = at + 1
        action = script[at]
        if isinstance(action, Exception):
            raise action
        return Decision(action(self.memory, state) if callable(action) else action)


def search(text):
    """Search for words."""
    return Search(Query("question", text))


def add(*places):
    """Note the candidates at these places, from 0."""
    return lambda memory, state: Add(tuple(note_of(memory, state.candidates[at].unit) for at in places))


SKIP, STOP = Skip(), Stop()
