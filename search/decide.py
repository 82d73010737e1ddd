"""Whether a revision becomes the incumbent, by the study's rule of acceptance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from designsearch.search.accept import Verdict, confirm, paired, strict
from designsearch.search.compare import Pairs, pair
from designsearch.search.results import QuestionResult
from designsearch.search.scores import scores
from designsearch.search.study_choices import ConfirmOptions, PairedOptions
from designsearch.search.study_file import Choice

Results = Sequence[QuestionResult]


def pairs_of(base: Results, new: Results, objective: str) -> Pairs:
    """The objective under both designs, question by question."""
    return pair(scores(base, objective), scores(new, objective))


def decide(rule: Choice, validation: Pairs, reserved: Callable[[], Pairs], *, confirmations: int, seed: int) -> Verdict:
    """Apply the rule.

    Args:
        rule: ``strict``, ``paired`` or ``confirm`` with its options.
        validation: incumbent and revision on the validation questions.
        reserved: both on the reserved slice; called only where the rule asks for it.
        confirmations: how often the slice was looked at before.
        seed: of Monte Carlo tests.
    """
    options = rule.options
    if isinstance(options, ConfirmOptions):
        return confirm(validation, reserved, confirmations=confirmations, alpha=options.alpha, seed=seed)
    if isinstance(options, PairedOptions):
        return paired(validation, alpha=options.alpha, seed=seed)
    return strict(validation)


def alpha_of(rule: Choice) -> float | None:
    """The error that the rule allows; ``None`` for a rule that makes no test."""
    return getattr(rule.options, "alpha", None)
