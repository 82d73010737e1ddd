"""Propose by a language model: it reads the design and its failures, and edits the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.token_counter import BundledCounter, TokenCounter
from designsearch.search.proposers.base import Proposal, ProposalState
from designsearch.search.proposers.llm_reply import Ideas
from designsearch.search.proposers.llm_request import build_request
from designsearch.search.proposers.llm_revision import Revision, revise
from designsearch.search.study_choices import LlmOptions


class LlmProposer:
    """A language model edits the incumbent, and corrects what is not valid.

    Args:
        model: plays the role proposer.
        options: as the study gives them.
        counter: measures how long a request is.
    """

    name = "llm"

    def __init__(self, model: Model, options: LlmOptions | None = None, counter: TokenCounter | None = None) -> None:
        self.model = model
        self.options = options or LlmOptions()
        self.counter = counter or BundledCounter()

    def propose(self, state: ProposalState) -> Proposal | None:
        """The model's edits; where no correction helped, with the problem that they have.

        A reply that failed ends the proposal: whoever asked for it has tried what can be tried.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
        """
        replies: list[Reply] = []
        ideas, revision = Ideas("", "", ()), Revision(state.text)
        returned: tuple[Any, str] | None = None
        for _ in range(1 + self.options.repairs):
            [reply] = self.model.complete([build_request(state, self.options, self.counter, returned)])
            replies.append(reply)
            if not reply.ok:
                return self._proposal(ideas, revision, replies, _no_reply(reply, revision))
            ideas = Ideas.of(reply.value)
            revision = revise(state, ideas)
            if not revision.problem and not revision.repeats:
                break
            returned = (reply.value, revision.problem or revision.repeats)
        return self._proposal(ideas, revision, replies, revision.problem)

    def _proposal(self, ideas: Ideas, revision: Revision, replies: Sequence[Reply], problem: str) -> Proposal:
        params: dict[str, Any] = dict(_work(replies))
        if revision.open:
            params["open"] = [dict(one) for one in revision.open]
        return Proposal(
            text=revision.text,
            edits=revision.edits,
            rationale=ideas.rationale,
            expected=ideas.expected,
            proposer=self.name,
            params=params,
            problem=problem,
        )


def _no_reply(reply: Reply, before: Revision) -> str:
    said = f"the model gave no usable reply ({reply.why})"
    wrong = before.problem or before.repeats
    return f"{said}; its proposal before that: {wrong}" if wrong else said


def _work(replies: Sequence[Reply]) -> Mapping[str, Any]:
    """What the replies took; of cached ones what they took at first, so that it is the same each time."""
    return {
        "requests": len(replies),
        "calls": sum(reply.calls for reply in replies),
        "input_tokens": sum(reply.input_tokens for reply in replies),
        "output_tokens": sum(reply.output_tokens for reply in replies),
        "cost": sum(reply.cost for reply in replies),
        "seconds": round(sum(reply.seconds for reply in replies), 3),
    }
