"""From a study's ``proposer`` to the proposer itself."""

from __future__ import annotations

from collections.abc import Callable

from designsearch.search.proposers.base import Proposer
from designsearch.search.proposers.mixed import MixedProposer
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.proposers.sampler import SamplerProposer
from designsearch.search.study_choices import MixedOptions, SamplerOptions
from designsearch.search.study_file import Choice


def make_proposer(choice: Choice, fit: Callable[[], Proposer]) -> Proposer:
    """The proposer that a study names.

    Args:
        choice: its name and options.
        fit: makes the proposer of that name, which learns from the training questions of the study.
    """
    options = choice.options
    if isinstance(options, MixedOptions):
        return MixedProposer([_one(name, fit) for name in dict.fromkeys(options.of)])
    if isinstance(options, SamplerOptions):
        return SamplerProposer(options)
    return _one(choice.op, fit)


def _one(name: str, fit: Callable[[], Proposer]) -> Proposer:
    if name == "fit":
        return fit()
    return RulesProposer() if name == "rules" else SamplerProposer()
