"""What a memory policy sees and does: its state, its four actions, and what follows from each.

The decision process of AiO-Mem (Wang et al. 2026, "All-in-One Memory", section 3.3): in mode ``decide`` a policy
searches or stops, in mode ``extract``, after a search, it adds notes or skips. Nothing here knows how a search is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from designsearch.runtime.records import NO_TIME, Query

Mode = Literal["decide", "extract"]
ActionType = Literal["search", "add", "skip", "stop"]
ACTION_TYPES: tuple[ActionType, ...] = ("search", "add", "skip", "stop")

NotesRule = Literal["append", "update", "overwrite"]
"""What writing does to the notes that are there: nothing; those about the same unit give way; all give way."""


@dataclass(frozen=True, slots=True)
class Cited:
    """Source text that a note rests on.

    Attributes:
        record: row of the record in the history.
        start, end: characters of its text.
    """

    record: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Note:
    """What was kept of one unit found.

    Attributes:
        unit: global id of the unit, or event, that was found.
        cited: the source text that the answerer will read, in the unit's order; never empty.
        time: the unit's time as the history says it; empty where unknown.
        content: words of a model about it; empty where none wrote any. Never evidence.
    """

    unit: int
    cited: tuple[Cited, ...]
    time: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of the latest search.

    Attributes:
        unit: global id.
        score: as the inner cascade left it.
    """

    unit: int
    score: float


@dataclass(frozen=True, slots=True)
class Search:
    """Look for something.

    Attributes:
        query: what for.
        source: which generator proposed it, or ``model``.
    """

    query: Query
    source: str = "question"
    type: Literal["search"] = "search"


@dataclass(frozen=True, slots=True)
class Add:
    """Write one or more notes: one action, however many."""

    notes: tuple[Note, ...]
    type: Literal["add"] = "add"


@dataclass(frozen=True, slots=True)
class Skip:
    """Keep nothing of what was found."""

    reason: str = ""
    type: Literal["skip"] = "skip"


@dataclass(frozen=True, slots=True)
class Stop:
    """End the episode.

    Attributes:
        forced: why it ended although the policy did not choose to: it failed, or ran out of tokens. Empty where it
            chose to.
    """

    forced: str = ""
    type: Literal["stop"] = "stop"


Action = Search | Add | Skip | Stop


class MaskedActionError(ValueError):
    """An action that the state's mode does not allow."""


@dataclass(frozen=True, slots=True)
class State:
    """What a policy decides from.

    Attributes:
        question: the question.
        as_of: local wall-clock seconds of asking; ``NO_TIME`` where unknown.
        mode: what is to be decided.
        step: decide steps that are over.
        max_steps: decide steps of an episode; in the last one only ``stop`` is left.
        notes: the working memory, in the order of writing.
        candidates: what the latest search found, best first; empty after ``skip``.
        searches: the searches so far.
        done: whether the episode has ended.
        rule: what writing does to the notes that are there. Where they give way, new ones may cite what they cite.
        found: candidates that the latest search brought, also after ``skip``.
    """

    question: str
    max_steps: int
    as_of: int = NO_TIME
    mode: Mode = "decide"
    step: int = 0
    notes: tuple[Note, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    searches: tuple[Search, ...] = ()
    done: bool = False
    rule: NotesRule = "append"
    found: int = 0

    @property
    def allowed(self) -> tuple[ActionType, ...]:
        """The types of action that may follow; none once the episode has ended."""
        if self.done:
            return ()
        if self.mode == "extract":
            return ("add", "skip")
        return ("search", "stop") if self.step + 1 < self.max_steps else ("stop",)


def transition(state: State, action: Action, found: Sequence[Candidate] = ()) -> State:
    """The state after an action (AiO-Mem, equation 1).

    Args:
        state: before it.
        action: one that the state allows; a forced stop is allowed in either mode.
        found: what a search found, best first.

    Returns:
        ``search`` replaces the candidates and asks for an extraction; ``add`` appends notes, or replaces what the
        state's rule says, and keeps the candidates; ``skip`` empties them; ``stop`` ends.

    Raises:
        MaskedActionError: the state does not allow the action, or a note cites nothing or no candidate.
    """
    forced = isinstance(action, Stop) and bool(action.forced) and not state.done
    if action.type not in state.allowed and not forced:
        allowed = " or ".join(state.allowed) or "nothing, the episode has ended"
        raise MaskedActionError(f"{action.type} is not allowed in mode {state.mode}: {allowed}")
    if isinstance(action, Search):
        searches = (*state.searches, action)
        step, shown = state.step + 1, tuple(found)
        return replace(state, mode="extract", candidates=shown, searches=searches, step=step, found=len(shown))
    if isinstance(action, Add):
        _check(action, state)
        return replace(state, mode="decide", notes=(*_staying(state, action), *action.notes))
    if isinstance(action, Skip):
        return replace(state, mode="decide", candidates=())
    return replace(state, done=True)


def _staying(state: State, action: Add) -> tuple[Note, ...]:
    """The notes that stay when others are written."""
    if state.rule == "overwrite":
        return ()
    new = {note.unit for note in action.notes} if state.rule == "update" else set()
    return tuple(note for note in state.notes if note.unit not in new)


def _check(action: Add, state: State) -> None:
    shown = {candidate.unit for candidate in state.candidates}
    if state.rule != "append":
        shown |= {note.unit for note in state.notes}
    if not action.notes:
        raise MaskedActionError("add without a note: skip instead")
    for note in action.notes:
        if note.unit not in shown:
            raise MaskedActionError(f"a note cites unit {note.unit}, which the latest search did not find")
        if not note.cited:
            raise MaskedActionError(f"the note about unit {note.unit} cites no source text")


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a policy that learns: a token of the objective.

    Attributes:
        picked: what was picked among the options, 0-based.
        logp: its log-probability under the policy that picked it.
    """

    picked: int
    logp: float


@dataclass(frozen=True, slots=True)
class Taken:
    """One step of an episode.

    Attributes:
        state: before the action.
        action: what was done.
        found: what a search found and the policy is shown.
        choices: the tokens that the policy generated for it; none where it was forced.
        tokens: tokens of text that the policy was shown for it: those of the candidates, where it extracts, or as the
            policy itself counts what it shows its model.
        hidden: what the search found behind that, for which there was no room.
    """

    state: State
    action: Action
    found: tuple[Candidate, ...] = ()
    choices: tuple[Choice, ...] = ()
    tokens: int = 0
    hidden: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An episode from its first state to its last.

    Attributes:
        steps: in order.
        final: the state at the end.
        placed: the notes by the units that stand in the ranking in the place of those that were found, where a policy
            ranks others.
    """

    steps: tuple[Taken, ...]
    final: State
    placed: tuple[Note, ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """The working memory that the answerer gets."""
        return self.final.notes

    @property
    def ranked(self) -> tuple[Note, ...]:
        """The notes by the units that are ranked for them."""
        return self.placed or self.final.notes

    @property
    def forced(self) -> str:
        """Why it ended although the policy did not choose to; empty where it chose to."""
        last = self.steps[-1].action if self.steps else None
        return last.forced if isinstance(last, Stop) else ""

    @property
    def observed(self) -> int:
        """Tokens that the policy was shown in all."""
        return sum(step.tokens for step in self.steps)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy decided.

    Attributes:
        action: what to do.
        choices: the tokens that led to it, where the policy learns.
        tokens: tokens of text that the policy was shown for it; ``None`` for those of the candidates' own texts.
    """

    action: Action
    choices: tuple[Choice, ...] = ()
    tokens: int | None = None
