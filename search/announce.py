"""The sentences of a study: before it starts, after each trial, at its end."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.books import Books
from designsearch.search.claim import Claim
from designsearch.search.decide import alpha_of
from designsearch.search.detectable import detectable_gain
from designsearch.search.events import Event
from designsearch.search.proposers.base import Attempt
from designsearch.search.results import QuestionResult
from designsearch.search.scores import scores
from designsearch.search.splits import Split
from designsearch.search.study_file import StudyFile


def models(destinations: Sequence[str]) -> Event:
    """Which server gets what, before anything is sent."""
    return Event("models", "\n".join(destinations), {"destinations": list(destinations)})


def start(study: StudyFile, split: Split, books: Books, library: str, *, resumed: bool) -> Event:
    """What is about to run, and the smallest gain that it can see."""
    spent = books.account.spent
    lines = [
        f"study {study.name}: {study.shape.objective}, base {books.base.value:.4f} ({books.base.design.hash})",
        *split.lines(),
        detectable(study, *_measured(books.base.results, study.shape.objective)),
        f"proposer {study.proposer.op}, accept {study.accept.op}, {library}, seed {study.shape.seed}",
    ]
    if resumed:
        left = max(0, study.shape.budget.trials - spent.trials)
        lines.append(
            f"resumed: {_counted(spent.trials, 'trial')} scored, {left} left; "
            f"incumbent {books.incumbent.value:.4f} (revision {books.incumbent.revision})"
        )
    return Event("start", "\n".join(lines), {"base": books.base.value, "resumed": resumed, "trials": spent.trials})


OFFLINE = ("models: offline for every role; no call leaves this machine and nothing is charged",)


def plan(study: StudyFile, split: Split, models: Sequence[str] = OFFLINE) -> list[str]:
    """What a study would do, and what its budget buys, one line each.

    Args:
        study: the study.
        split: its questions.
        models: who would be asked for what.
    """
    budget, questions = study.shape.budget, split.size("validation")
    caps = [_counted(budget.trials, "trial")]
    caps += [f"{budget.minutes:g} minutes"] if budget.minutes is not None else []
    caps += [f"{budget.llm_calls} calls"] if budget.llm_calls is not None else []
    caps += [f"${budget.usd:g}"] if budget.usd is not None else []
    return [
        *split.lines(),
        detectable(study, questions),
        f"proposer {study.proposer.op}, accept {study.accept.op}, seed {study.shape.seed}",
        f"at most {', '.join(caps)}: {questions * (budget.trials + 1)} questions answered on validation, base included",
        *models,
        f"ledger: {study.shape.storage or study.storage}; files: {study.run_folder}",
    ]


def detectable(study: StudyFile, questions: int, note: str = "") -> str:
    """The smallest gain that one comparison of the study can detect.

    Args:
        study: its rule of acceptance says how sure a gain must be.
        questions: number of validation questions that are compared.
        note: why these are not all, to stand behind the number.
    """
    alpha = alpha_of(study.accept)
    if alpha is None:
        on = f"{_counted(questions, 'question')}{note}"
        return f"accept strict makes no test: on {on} a gain of {1 / max(1, questions):.4f} is accepted"
    gain = detectable_gain(questions, alpha)
    if gain is None:
        few = f"{_counted(questions, 'validation question')}{note}"
        return f"{few} can show no gain at alpha {alpha:g}: nothing can be accepted"
    likely = "with so few, even a true gain is easily missed"
    if gain.likely is not None:
        likely = f"one of {gain.likely:.4f} in four cases of five"
    on = f"{_counted(questions, 'question')}{note}"
    return f"smallest gain it can detect on {on} at alpha {alpha:g}: {gain.least:.4f}; {likely}"


def _measured(results: Sequence[QuestionResult], objective: str) -> tuple[int, str]:
    """How many questions the objective was measured on, and a note where these are not all."""
    found = scores(results, objective)
    left = [
        f"{objective} {why} {count}"
        for why, count in (("does not apply to", found.not_applicable), ("was not measured on", len(found.unmeasured)))
        if count
    ]
    return len(found.measured), f" ({', '.join(left)})" if left else ""


def trial(attempt: Attempt, before: float) -> Event:
    """One finished proposal in one line."""
    proposal = attempt.proposal
    head = f"{attempt.number:03d} {attempt.decision}"
    why = " ".join((proposal.rationale or "no rationale").split())
    if attempt.value is None:
        cause = attempt.reason.split("\n")[0]
        text = f"{head}: {cause} [{proposal.proposer}: {why}]"
    else:
        text = f"{head} {before:.4f} -> {attempt.value:.4f}, {attempt.reason} [{proposal.proposer}: {why}]"
    return Event("trial", text, {"number": attempt.number, "decision": attempt.decision, "value": attempt.value})


HOW_TO_GO_ON = {
    "minutes": "raise budget.minutes",
    "usd": "raise budget.usd",
    "llm_calls": "raise budget.llm_calls",
    "quota": "when the server takes calls again",
}
"""What lets a study go on that ended by a cap on time, money or calls."""


def stop(reason: str, text: str, books: Books, interrupted: int) -> Event:
    """Why it ended, how to go on, and where it stands."""
    if reason in HOW_TO_GO_ON:
        text = f"{text}; to go on, run it again ({HOW_TO_GO_ON[reason]})"
    scored = books.account.spent.trials
    unscored = len(books.attempts) - scored
    line = (
        f"stopped: {text}. {scored} scored, {len(books.accepted)} accepted, {unscored} not scored, "
        f"{interrupted} interrupted; validation {books.base.value:.4f} -> {books.incumbent.value:.4f}"
    )
    return Event("stop", line, {"reason": reason, "scored": scored, "accepted": len(books.accepted)})


def claim(made: Claim) -> Event:
    """What the locked questions say."""
    if made.problem:
        return Event("claim", f"no claim: {made.problem}", made.to_json())
    assert made.base is not None
    assert made.best is not None
    head = (
        f"claim on {_counted(made.questions, 'locked question')}{_origin(made)}: "
        f"{made.metric} {made.base:.4f} -> {made.best:.4f}, gain {made.gain:+.4f}{_interval(made.interval)}, "
        f"{made.gains} gains, {made.losses} losses, p {made.p:.4g}"
    )
    lines = [head]
    if made.users_interval is not None:
        each = ", ".join(f"{name} {gain:+.4f}" for name, gain in sorted(made.by_history.items()))
        lines.append(f"for users like these{_interval(made.users_interval)}; {each}")
    old, new = made.answer_recall
    if old is not None and new is not None:
        lines.append(f"answer_recall {old:.4f} -> {new:.4f}")
    lines.append(
        "the slice is spent now"
        if made.use == 1
        else f"the slice has been looked at {made.use} times: read the claim with that in mind"
    )
    return Event("claim", "\n".join(lines), made.to_json())


def _origin(made: Claim) -> str:
    if not made.generated:
        return ""
    which = "" if made.generated >= made.questions else f"{made.generated} of them "
    return f", {which}generated from the histories, not official"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _interval(ends: tuple[float, float] | None) -> str:
    return f" (95 % interval {ends[0]:+.4f} to {ends[1]:+.4f})" if ends is not None else ""
