"""Is a revision better: the papers' rule, a paired test, or a paired test confirmed on a reserved slice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from designsearch.search.compare import MAX_UNMEASURED, Pairs

Decision = Literal["accepted", "rejected", "indecisive"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided about a revision, and on what grounds.

    Attributes:
        decision: ``accepted``; ``rejected`` (no gain); ``indecisive`` (a gain that chance explains, or a comparison
            with too many questions not measured).
        gain: mean difference to the incumbent.
        gains, losses: questions better and worse.
        p: one-sided p-value for "better"; ``None`` where no test was made.
        reason: one sentence for people.
        confirmed: whether the reserved slice was looked at.
    """

    decision: Decision
    gain: float
    gains: int
    losses: int
    p: float | None
    reason: str
    confirmed: bool = False


def strict(pairs: Pairs, *, limit: float = MAX_UNMEASURED) -> Verdict:
    """Accept any higher score, as the papers do; with noisy answers that accepts luck as well."""
    problem = pairs.problem(limit)
    if problem:
        return _verdict(pairs, "indecisive", None, problem)
    if pairs.gain > 0:
        return _verdict(pairs, "accepted", None, f"the score rose by {pairs.gain:.4f}")
    return _verdict(pairs, "rejected", None, f"the score did not rise ({pairs.gain:+.4f})")


def paired(pairs: Pairs, *, alpha: float, seed: int, limit: float = MAX_UNMEASURED) -> Verdict:
    """Accept a gain that chance does not explain: ``gain > 0`` and ``p <= alpha`` on the same questions."""
    problem = pairs.problem(limit)
    if problem:
        return _verdict(pairs, "indecisive", None, problem)
    p = pairs.p_value(seed)
    if pairs.gain <= 0:
        return _verdict(pairs, "rejected", p, f"no gain ({pairs.gain:+.4f})")
    if p <= alpha:
        return _verdict(pairs, "accepted", p, f"gain {pairs.gain:+.4f}, p {p:.4g} <= {alpha:.4g}")
    return _verdict(pairs, "indecisive", p, f"gain {pairs.gain:+.4f}, but p {p:.4g} > {alpha:.4g}")


def confirm(
    validation: Pairs,
    reserved: Callable[[], Pairs],
    *,
    confirmations: int,
    alpha: float,
    seed: int,
    limit: float = MAX_UNMEASURED,
) -> Verdict:
    """Accept what passes ``paired`` on validation and then wins on the reserved slice as well.

    The error of the whole study is held at alpha by spending it: the k-th confirmation may use ``alpha / (k (k + 1))``,
    and those shares add up to alpha however many follow. The slice is looked at again and again, yet as long as nothing
    was accepted each candidate depends on it through refusals alone, so that the sum bounds the chance of a first false
    acceptance. For that a proposer may learn from a refused confirmation that it was refused, and no more.

    Args:
        validation: both designs on the validation questions.
        reserved: scores both designs on the reserved slice; called only when validation passes.
        confirmations: how many confirmations the study has made before.
        alpha: the error allowed, of validation and of the whole study's confirmations alike.
        seed: of Monte Carlo tests.
        limit: the largest share of questions not measured.

    Returns:
        The verdict of the slice where it was looked at (``confirmed``), else that of validation.
    """
    first = paired(validation, alpha=alpha, seed=seed, limit=limit)
    if first.decision != "accepted":
        return first
    share = spend(alpha, confirmations + 1)
    second = paired(reserved(), alpha=share, seed=seed, limit=limit)
    return Verdict(
        second.decision,
        second.gain,
        second.gains,
        second.losses,
        second.p,
        f"validation: {first.reason}; confirmation {confirmations + 1} on the reserved slice: {second.reason}",
        confirmed=True,
    )


def spend(alpha: float, confirmation: int) -> float:
    """The share of alpha that the k-th confirmation (1-based) may use; all shares together make alpha.

    Raises:
        ValueError: ``confirmation`` is less than 1.
    """
    if confirmation < 1:
        raise ValueError(f"confirmations are counted from 1, not {confirmation}")
    return alpha / (confirmation * (confirmation + 1))


def _verdict(pairs: Pairs, decision: Decision, p: float | None, reason: str) -> Verdict:
    return Verdict(decision, pairs.gain, pairs.gains, pairs.losses, p, reason)
