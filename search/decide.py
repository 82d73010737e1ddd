"""Whether a revision becomes the incumbent, by the study's rule of acceptance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from designsearch.search.accept import Verdict, confirm, paired, strict
from designsearch.search.compare import Pairs, pair
from designsearch.search.results import QuestionResult
from designsearch.search.scores import scores
from designsearch.search.sign_flip import sign_flip
from designsearch.search.study_choices import ConfirmOptions, PairedOptions
from designsearch.search.study_file import Choice

Results = Sequence[QuestionResult]

_NOTICEABLE = 0.01
"""A loss of answer recall up to this is let pass."""

_SURE = 0.05
"""p-value from which down a larger loss is held to be one."""


def pairs_of(base: Results, new: Results, objective: str) -> Pairs:
    """The objective under both designs, question by question."""
    return pair(scores(base, objective), scores(new, objective))


def decide(
    rule: Choice,
    base: Results,
    new: Results,
    objective: str,
    reserved: Callable[[], Pairs],
    *,
    confirmations: int,
    seed: int,
) -> Verdict:
    """Apply the rule; with an evidence objective a revision must not lose answers either.

    Args:
        rule: ``strict``, ``paired`` or ``confirm`` with its options.
        base: the incumbent's validation results.
        new: the revision's.
        objective: the metric that is to rise.
        reserved: both on the reserved slice; called only where the rule asks for it.
        confirmations: how often the slice was looked at before.
        seed: of Monte Carlo tests.
    """
    validation = pairs_of(base, new, objective)
    if objective != "accuracy" and validation.gain > 0 and (loss := loses_answers(base, new, seed)):
        return Verdict("rejected", validation.gain, validation.gains, validation.losses, None, loss)
    return _by_rule(rule, validation, reserved, confirmations, seed)


def _by_rule(rule: Choice, validation: Pairs, reserved: Callable[[], Pairs], confirmations: int, seed: int) -> Verdict:
    options = rule.options
    if isinstance(options, ConfirmOptions):
        return confirm(validation, reserved, confirmations=confirmations, alpha=options.alpha, seed=seed)
    if isinstance(options, PairedOptions):
        return paired(validation, alpha=options.alpha, seed=seed)
    return strict(validation)


def loses_answers(base: Results, new: Results, seed: int) -> str:
    """Why a revision must not be accepted although it shows more evidence: it shows less of the answers.

    Returns:
        A sentence; empty where the share of the gold answers that stands in the context did not surely fall. Only
        answers that the evidence says are looked at: what is worked out from it stands in a context by chance.
    """
    pairs = pairs_of(_stated(base), _stated(new), "answer_recall")
    if not pairs.keys or pairs.gain > -_NOTICEABLE:
        return ""
    p = sign_flip(-pairs.differences, seed=seed)
    if p > _SURE:
        return ""
    return f"answer_recall fell by {-pairs.gain:.4f} (p {p:.4g}): evidence bought by leaving answers out"


def _stated(results: Results) -> Results:
    return [result for result in results if result.answer_stated]


def alpha_of(rule: Choice) -> float | None:
    """The error that the rule allows; ``None`` for a rule that makes no test."""
    return getattr(rule.options, "alpha", None)
