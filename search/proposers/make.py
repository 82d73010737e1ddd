"""From a study's ``proposer`` to the proposer itself."""

from __future__ import annotations

from collections.abc import Callable

from designsearch.dsl.problems import UserError
from designsearch.search.proposers.base import Proposer
from designsearch.search.proposers.mixed import MixedProposer
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.proposers.sampler import SamplerProposer
from designsearch.search.study_choices import LlmOptions, MixedOptions, SamplerOptions
from designsearch.search.study_file import Choice

MakeLlm = Callable[[LlmOptions], Proposer]


def make_proposer(choice: Choice, fit: Callable[[], Proposer], llm: MakeLlm | None = None) -> Proposer:
    """The proposer that a study names.

    Args:
        choice: its name and options.
        fit: makes the proposer of that name, which learns from the training questions of the study.
        llm: makes the proposer of that name; ``None`` where the study names no model for the role proposer.

    Raises:
        UserError: ``llm`` is asked for and there is no model for it.
    """
    options = choice.options
    if isinstance(options, MixedOptions):
        return MixedProposer([_one(name, fit, llm) for name in options.chosen(llm=llm is not None)])
    if isinstance(options, SamplerOptions):
        return SamplerProposer(options)
    if isinstance(options, LlmOptions):
        return _llm(llm, options)
    return _one(choice.op, fit, llm)


def _one(name: str, fit: Callable[[], Proposer], llm: MakeLlm | None) -> Proposer:
    if name == "fit":
        return fit()
    if name == "llm":
        return _llm(llm, LlmOptions())
    return RulesProposer() if name == "rules" else SamplerProposer()


def _llm(make: MakeLlm | None, options: LlmOptions) -> Proposer:
    if make is None:
        raise UserError("proposer: llm needs a model for the role proposer: add it under models")
    return make(options)
