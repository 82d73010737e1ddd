"""What is shown of a unit that a policy noted: the source text that its notes cite, and what a model wrote beside it.

The answerer reads what a policy noted, and nothing else of the unit (AiO-Mem, Wang et al. 2026: it sees the working
memory only). A unit that is noted whole, without words of a model, is shown as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from designsearch.runtime.episodes.states import Cited, Note
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.pipeline import Step
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.records import History, Queries

Asked = tuple[str, int]
"""A question's words and when it was asked."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown in the place of a unit.

    Attributes:
        cited: the source text, in the unit's order; never empty.
        content: words of a model about it, those of several notes in lines of their own; empty where none wrote any.
    """

    cited: tuple[Cited, ...]
    content: str = ""

    @property
    def first(self) -> int:
        """Row of the record that lends it time, author, role, session and source."""
        return self.cited[0].record

    def text(self, history: History) -> str:
        """The source text, word for word."""
        return JOIN.join(history.texts[one.record][one.start : one.end] for one in self.cited)

    def records(self, history: History) -> tuple[str, ...]:
        """Ids of the records that it shows."""
        return tuple(dict.fromkeys(history.ids[one.record] for one in self.cited))

    def leaves_out(self, row: int) -> bool:
        """Whether it shows nothing of the record in that row of the history."""
        return all(one.record != row for one in self.cited)


Excerpts = Mapping[int, Excerpt]
"""By global id of the unit; a unit that is not there is shown whole."""


def source_of(memory: Memory, unit: int, excerpt: Excerpt | None) -> tuple[str, tuple[str, ...]]:
    """The store of a unit and the ids of its records that are shown, by global id."""
    store, records = memory.source_of(unit)
    return store, records if excerpt is None else excerpt.records(memory.history)


def excerpts_of(steps: Sequence[Step], queries: Queries, memory: Memory) -> list[Excerpts]:
    """What is shown of the units that policies noted, whichever stage ranked them in the end.

    Args:
        steps: of the run.
        queries: the batch that went through it.
        memory: what was searched.

    Returns:
        Shape (questions,).
    """
    ranking = [step for step in steps if step.ranking is not None and (step.episodes or step.nested)]
    if not ranking:
        return [{} for _ in queries.questions]
    nested = _nested(ranking)
    wholes: dict[int, tuple[Cited, ...]] = {}
    asked = zip(queries.questions, queries.as_of.tolist(), strict=True)
    return [_by_unit((*_own(ranking, q), *nested.get(one, ())), memory, wholes) for q, one in enumerate(asked)]


def _own(steps: Iterable[Step], question: int) -> Iterator[Note]:
    """The notes of policies that are stages themselves."""
    for step in steps:
        episode = step.episodes[question] if step.episodes else None
        if episode is not None:
            yield from episode.ranked


def _nested(steps: Iterable[Step]) -> dict[Asked, list[Note]]:
    """The notes of policies inside other stages; a policy inside another one's search shows nothing, that one does."""
    found: dict[Asked, list[Note]] = {}
    for step in steps:
        outer = tuple(f"{one.path}." for one in step.nested)
        for one in step.nested if not step.episodes else ():
            for episode in one.episodes if one.ranks and not one.path.startswith(outer) else ():
                found.setdefault((episode.final.question, episode.final.as_of), []).extend(episode.ranked)
    return found


def _by_unit(notes: Iterable[Note], memory: Memory, wholes: dict[int, tuple[Cited, ...]]) -> Excerpts:
    by_unit: dict[int, list[Note]] = {}
    for note in notes:
        by_unit.setdefault(note.unit, []).append(note)
    made: dict[int, Excerpt] = {}
    for unit, own in by_unit.items():
        if unit not in wholes:
            wholes[unit] = note_of(memory, unit).cited
        excerpt = _excerpt(own, wholes[unit])
        if excerpt is not None:
            made[unit] = excerpt
    return made


def _excerpt(notes: Sequence[Note], whole: tuple[Cited, ...]) -> Excerpt | None:
    """What some notes keep of a unit; ``None`` where that is the unit as it is."""
    contents = dict.fromkeys(note.content for note in notes if note.content)
    if not contents and any(note.cited == whole for note in notes):
        return None
    cited = {one for note in notes for one in note.cited}
    if not contents and cited.issuperset(whole):
        return None
    return Excerpt(_in_order(cited, whole), JOIN.join(contents))


def _in_order(cited: Iterable[Cited], whole: Sequence[Cited]) -> tuple[Cited, ...]:
    """Cited text in the order of the unit, what overlaps as one."""
    places: dict[int, int] = {}
    for place, part in enumerate(whole):
        places.setdefault(part.record, place)
    joined: list[Cited] = []
    for one in sorted(cited, key=lambda c: (places.get(c.record, len(places)), c.record, c.start, c.end)):
        last = joined[-1] if joined else None
        if last is not None and last.record == one.record and one.start < last.end:
            joined[-1] = Cited(one.record, last.start, max(last.end, one.end))
        else:
            joined.append(one)
    return tuple(joined)
