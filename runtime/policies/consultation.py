"""What a model is asked about one state of an episode, and what its replies come to."""

from __future__ import annotations

import json
from collections.abc import Sequence

from designsearch.prompts.load import prompt
from designsearch.prompts.quoting import disarmed
from designsearch.runtime.asking import day_of
from designsearch.runtime.episodes.states import ActionType, Add, Decision, Note, State, Stop
from designsearch.runtime.models.prompted import messages_of
from designsearch.runtime.models.requests import Message, Reply, Request
from designsearch.runtime.policies.observation import Event, Observer, citable
from designsearch.runtime.policies.tools import MOST_NOTES, TOOLS, RefusedCallsError, read_calls

DECIDE, EXTRACT, REFUSED = "policy/decide", "policy/extract", "policy/refused"

MOST_TRIES = 2
"""Times that a model is asked for one action: calls that are refused are told and asked for again once."""


class Consultation:
    """One state's conversation with the model.

    Args:
        state: what is to be decided.
        offered: the types of action that the model may take.
        observer: shows it the candidates and the notes.
        replicate: which of several episodes of one question it is.
        instructions: how the design wants it to go about it; may be empty.

    Attributes:
        decision: what came of it; ``None`` while it is to be asked.
    """

    def __init__(
        self,
        state: State,
        offered: Sequence[ActionType],
        observer: Observer,
        replicate: int = 0,
        instructions: str = "",
    ) -> None:
        self.decision: Decision | None = None
        self._offered = tuple(offered)
        self._replicate = replicate
        self._tries = 0
        self._sound: tuple[Note, ...] = ()
        self._name = EXTRACT if state.mode == "extract" else DECIDE
        notes = observer.notes(state.notes)
        events = observer.candidates(state.candidates) if state.mode == "extract" else []
        self._citable = citable(events if state.rule == "append" else [*notes, *events])
        self._times = {event.unit: event.time for event in [*notes, *events]}
        self._shown = observer.tokens([*notes, *events])
        self._messages = list(_messages(state, self._offered, notes, events, instructions))

    def request(self) -> Request:
        """What is asked next."""
        return Request(
            prompt(self._name).identity,
            tuple(self._messages),
            tools=tuple(TOOLS[type_] for type_ in self._offered),
            replicate=self._replicate,
            most_calls=MOST_NOTES if self._name == EXTRACT else 1,
        )

    def take(self, reply: Reply) -> None:
        """Read a reply: an action, a forced stop, or calls that are refused and asked for once more.

        Where they are refused again, the notes with which nothing was wrong are written, those of the last reply
        before those of the first; where there are none, that is a forced stop.
        """
        self._tries += 1
        if not reply.ok:
            self._end(reply.why)
            return
        calls = reply.value if isinstance(reply.value, list) else [reply.value]
        try:
            self._decide(Decision(read_calls(calls, self._offered, self._citable, self._times), (), self._tokens))
        except RefusedCallsError as error:
            self._sound = error.notes or self._sound
            if self._tries == MOST_TRIES:
                self._end(str(error))
                return
            self._messages.append(Message("assistant", disarmed(json.dumps(calls, ensure_ascii=False))))
            self._messages += messages_of(REFUSED, reasons=error.reasons)

    @property
    def _tokens(self) -> int:
        """Tokens of the history and the notes that the model was shown, each time that it was asked."""
        return self._tries * self._shown

    def _end(self, why: str) -> None:
        action = Add(self._sound) if self._sound else Stop(forced=why)
        self._decide(Decision(action, (), self._tokens))

    def _decide(self, decision: Decision) -> None:
        self.decision = decision


def _messages(
    state: State, offered: Sequence[ActionType], notes: Sequence[Event], events: Sequence[Event], instructions: str
) -> tuple[Message, ...]:
    about = {
        "question": state.question,
        "notes": notes,
        "as_of": day_of(state.as_of),
        "instructions": instructions,
    }
    if state.mode == "extract":
        return messages_of(EXTRACT, events=events, can_skip="skip" in offered, rule=state.rule, **about)
    return messages_of(
        DECIDE,
        searches=[search.query.text for search in state.searches],
        step=state.step + 1,
        steps=state.max_steps,
        can_stop="stop" in offered,
        **about,
    )
