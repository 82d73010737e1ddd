"""Propose by a language model: it reads the design and its failures, and edits the text."""

from __future__ import annotations

from designsearch.runtime.models.base import Model
from designsearch.runtime.token_counter import BundledCounter, TokenCounter
from designsearch.search.proposers.base import Proposal, ProposalState
from designsearch.search.study_choices import LlmOptions


class LlmProposer:
    """A language model edits the incumbent.

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
        """Edits of the model's; the proposal says in ``params`` where they could not be made.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
        """
        raise NotImplementedError
