"""What a model is shown of the candidates of a search and of its notes, and which source text it may cite by that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from designsearch.runtime.episodes.states import Candidate, Cited, Note
from designsearch.runtime.memory import Memory
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.record_messages import message
from designsearch.runtime.records import Units

Citable = dict[int, dict[int, Cited]]
"""Source text that was shown, by unit and by the number of the turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A stretch of source text of a unit.

    Attributes:
        number: its place in the unit, from 1; a note cites it by that.
        text: what is shown, with time and author.
        cited: the source text of it that is shown.
    """

    number: int
    text: str
    cited: Cited


@dataclass(frozen=True, slots=True)
class Event:
    """A unit as a model is shown it.

    Attributes:
        id: what the model calls it.
        unit: global id.
        time: as the history says it; empty where unknown.
        fields: name and text of what it is also found by, and of the text that a model wrote of its sources.
        turns: its source text, as far as there was room.
        cut: whether there is more of it.
        content: words of a model about it, where it is a note.
    """

    id: str
    unit: int
    time: str
    fields: tuple[tuple[str, str], ...]
    turns: tuple[Turn, ...]
    cut: bool = False
    content: str = ""

    @property
    def text(self) -> str:
        """It as a model reads it; only lines of ours begin without a space."""
        labelled = [("time", self.time), ("note", self.content), *self.fields]
        lines = [f"{label}: {_inset(text)}" for label, text in labelled if text]
        lines += [f"turn {turn.number}: {_inset(turn.text)}" for turn in self.turns]
        return "\n".join([*lines, *(["(more of it is not shown)"] if self.cut else [])])


def _inset(text: str) -> str:
    return text.replace("\n", "\n  ")


def event_id(unit: int) -> str:
    """What a model calls a unit."""
    return f"E{unit}"


class Observer:
    """Shows units to a model.

    The limit counts the texts themselves, as it does for what a search may bring: ids, times and authors beside them
    are not cut for it.

    Args:
        memory: whose units they are.
        limit: tokens of the candidates, and of the source text of notes, that are shown at most.
    """

    def __init__(self, memory: Memory, limit: int) -> None:
        self._memory = memory
        self._limit = limit

    def candidates(self, found: Sequence[Candidate]) -> list[Event]:
        """The candidates in order, whole; what they are also found by as far as there is room left for it.

        Of a unit that alone is longer than the limit as much is shown as fits. The sources of texts that a model wrote
        are shown turn by turn while they fit, and the units behind that are not shown.
        """
        left = self._limit
        shown: list[Event] = []
        for one in found:
            event, took = self._event(one.unit, left, first=not shown)
            if not event.turns:
                break
            shown.append(event)
            left -= took
        return self._with_views(shown, left)

    def notes(self, notes: Sequence[Note]) -> list[Event]:
        """All notes in order; of the source text as much as fits, that of the newest first."""
        left = self._limit
        shown: list[Event] = []
        for note in reversed(notes):
            turns = self._turns(note)
            length = sum(self._lengths(turns))
            room = length <= left
            left -= length if room else 0
            made = tuple(turns) if room else ()
            shown.append(Event(event_id(note.unit), note.unit, note.time, (), made, not room, note.content))
        return shown[::-1]

    def tokens(self, events: Iterable[Event]) -> int:
        """Tokens of all that is shown of some units."""
        return sum(self._count([event.text for event in events]))

    def _event(self, unit: int, left: int, *, first: bool) -> tuple[Event, int]:
        """A unit as far as it fits, and the tokens that its texts take."""
        whole = note_of(self._memory, unit)
        turns = self._turns(whole)
        (own,) = self._count([self._memory.text(unit)])
        units, local = self._found_at(unit)
        fields: tuple[tuple[str, str], ...] = ()
        if units.written:
            fields = (("text", units.texts[local]),)
            shown, took = self._fitting(turns, left - own, first=first)
            took += own
        elif own <= self._limit:  # a search brings no more of these than fits
            shown, took = turns, own
        else:
            shown, took = self._fitting(turns, left, first=first)
        cut = [turn.cited for turn in shown] != [turn.cited for turn in turns]
        return Event(event_id(unit), unit, whole.time, fields, tuple(shown), cut), took

    def _fitting(self, turns: Sequence[Turn], room: int, *, first: bool) -> tuple[list[Turn], int]:
        """The turns that fit and their tokens; of the first unit the first turn, cut, where not even that does."""
        fitting: list[Turn] = []
        took = 0
        for turn, length in zip(turns, self._lengths(turns), strict=True):
            if took + length > room:
                break
            took += length
            fitting.append(turn)
        if first and not fitting and turns:
            fitting = [self._shortened(turns[0], max(1, room))]
            took = sum(self._lengths(fitting))
        return fitting, took

    def _with_views(self, events: Sequence[Event], left: int) -> list[Event]:
        """The units with what they are also found by, in order while it fits."""
        made = []
        for event in events:
            units, local = self._found_at(event.unit)
            views = tuple((name, texts[local]) for name, texts in units.views.items() if texts[local])
            left -= sum(self._count([text for _, text in views]))
            made.append(replace(event, fields=(*event.fields, *views)) if left >= 0 else event)
        return made

    def _found_at(self, unit: int) -> tuple[Units, int]:
        """The units of the store of a unit, and its place among them."""
        store = self._memory.stores[self._memory.source_of(unit)[0]]
        return store.units, unit - store.base

    def _turns(self, note: Note) -> list[Turn]:
        """The cited text of a note, each part by its number in the whole unit."""
        parts = note_of(self._memory, note.unit).cited
        return [self._turn(_number(parts, cited), cited) for cited in note.cited]

    def _turn(self, number: int, cited: Cited) -> Turn:
        return Turn(number, message(self._memory.history, cited.record, self._said(cited)), cited)

    def _shortened(self, turn: Turn, room: int) -> Turn:
        """A turn cut to so many tokens of its own text."""
        cited = turn.cited
        kept = self._memory.services.counter.truncate(self._said(cited), room)
        return self._turn(turn.number, Cited(cited.record, cited.start, cited.start + len(kept)))

    def _said(self, cited: Cited) -> str:
        return self._memory.history.texts[cited.record][cited.start : cited.end]

    def _lengths(self, turns: Sequence[Turn]) -> list[int]:
        """Tokens of the source text of each turn."""
        return self._count([self._said(turn.cited) for turn in turns])

    def _count(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = self._memory.services.counter.count_all(texts).tolist() if texts else []
        return counts


def _number(parts: Sequence[Cited], cited: Cited) -> int:
    """The place, from 1, of the part of a unit in which some text stands."""
    return next(
        number
        for number, part in enumerate(parts, 1)
        if part.record == cited.record and part.start <= cited.start and cited.end <= part.end
    )


def citable(events: Iterable[Event]) -> Citable:
    """The source text that some units show; where one stands twice, the longer stretch of a turn."""
    found: Citable = {}
    for event in events:
        turns = found.setdefault(event.unit, {})
        for turn in event.turns:
            known = turns.get(turn.number)
            if known is None or turn.cited.end - turn.cited.start > known.end - known.start:
                turns[turn.number] = turn.cited
    return found
