"""What a model is asked when it is to propose: the design, the catalogue, the failures, and what was tried.

A request holds nothing that another run of the same study would not: no trial numbers, no times, no paths. It holds
failures on training questions and never a word of a validation question; of those the model learns scores alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from designsearch.prompts.load import prompt
from designsearch.runtime.models.prompted import messages_of
from designsearch.runtime.models.requests import Message, Request
from designsearch.runtime.token_counter import TokenCounter
from designsearch.search.contracts import Failure
from designsearch.search.proposers.base import Attempt, ProposalState
from designsearch.search.proposers.llm_catalogue import catalogue
from designsearch.search.proposers.llm_reply import SCHEMA
from designsearch.search.study_choices import LlmOptions

_QUESTION, _TEXT, _ANSWER, _EDITS, _RATIONALE, _RETURNED = 400, 500, 300, 800, 300, 4000
"""Characters of a question, of a piece of evidence, of an answer, of an attempt's edits and its rationale, and of what
is sent back, beyond which each is cut."""


def build_request(
    state: ProposalState, options: LlmOptions, counter: TokenCounter, returned: tuple[Any, str] | None = None
) -> Request:
    """The request for a proposal.

    Args:
        state: of the study.
        options: how much is shown.
        counter: measures the request. Of one that is too long the failures are left out one by one, each time one of
            the category with most of them, then the earliest attempts; the design and the catalogue are always whole.
        returned: the last proposal and what was wrong with it, where it is to be corrected.
    """
    failures = _shown_failures(state, options)
    attempts = list(state.attempts[max(0, len(state.attempts) - options.attempts) :])
    choices, tail = catalogue(state.registry, helper=state.helper), _tail(returned)
    while True:
        messages = _messages(state, choices, failures, attempts, tail)
        length = int(counter.count_all(["\n".join(message.content for message in messages)])[0])
        if length <= options.tokens or not (failures or attempts):
            break
        _leave_out(failures, attempts)
    identity = prompt("propose/propose").identity
    # the ordinal makes each proposal a call of its own: a model that is asked the same again may think again
    return Request(
        prompt=identity if returned is None else f"{identity}+{prompt('propose/repair').identity}",
        messages=tuple(messages),
        schema=SCHEMA,
        replicate=state.ordinal,
    )


def _messages(
    state: ProposalState, choices: str, failures: Sequence[Failure], attempts: Sequence[Attempt], tail: str
) -> list[Message]:
    *before, last = messages_of(
        "propose/propose",
        design=state.text,
        catalogue=choices,
        helper=state.helper,
        objective=state.objective,
        score=f"{state.score:.4f}",
        context_budget=state.context_budget,
        totals=[(category, kind, count) for (category, kind), count in sorted(state.totals.items())],
        failures="\n".join(_line(_failure(failure)) for failure in failures),
        attempts="\n".join(_line(_attempt(attempt)) for attempt in attempts),
    )
    # one message of the user's, as some models take no two in a row
    return [*before, Message("user", last.content + tail)]


def _tail(returned: tuple[Any, str] | None) -> str:
    if returned is None:
        return ""
    proposal, problems = returned
    [message] = messages_of(
        "propose/repair", proposal=_cut(_line(proposal), _RETURNED), problems=_cut(problems, _RETURNED)
    )
    return f"\n\n{message.content}"


def _shown_failures(state: ProposalState, options: LlmOptions) -> list[Failure]:
    """At most so many of each category; the sample is in an order of chance within each."""
    shown: list[Failure] = []
    for category in dict.fromkeys(failure.category for failure in state.sample):
        shown += [failure for failure in state.sample if failure.category == category][: options.failures]
    return shown


def _leave_out(failures: list[Failure], attempts: list[Attempt]) -> None:
    if not failures:
        del attempts[0]
        return
    categories = [failure.category for failure in failures]
    most = max(dict.fromkeys(categories), key=categories.count)
    del failures[len(categories) - 1 - categories[::-1].index(most)]


def _failure(failure: Failure) -> Mapping[str, Any]:
    return {
        "blamed": f"{failure.category} {failure.kind}".strip(),
        "question": _cut(failure.question, _QUESTION),
        "gold": _cut(failure.gold, _ANSWER),
        "answer": None if failure.answer is None else _cut(failure.answer, _ANSWER),
        "evidence": list(_evidence(failure)),
        "context_tokens": failure.context_tokens,
    }


def _evidence(failure: Failure) -> Iterator[Mapping[str, Any]]:
    for record in failure.evidence:
        shown: dict[str, Any] = {"text": _cut(record.text, _TEXT), "in_context": record.present}
        if not record.present:
            shown |= {"how": record.kind, "lost_at": record.lost_at or None, "rank": record.rank}
        yield shown


def _attempt(attempt: Attempt) -> Mapping[str, Any]:
    edits = _line([dict(edit) for edit in attempt.proposal.edits])
    return {
        "edits": json.loads(edits) if len(edits) <= _EDITS else _cut(edits, _EDITS),
        "rationale": _cut(attempt.proposal.rationale, _RATIONALE),
        "decision": attempt.decision,
        "gain": None if attempt.gain is None else round(attempt.gain, 4),
    }


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
