"""What the budget of a study buys: calls, tokens and money by role, estimated before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import floor
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.needs import stages_of
from designsearch.runtime.models.books.spending import cost
from designsearch.runtime.models.prompted import bare_length
from designsearch.runtime.models.settings import ModelSettings, Price, Role
from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.proposers.llm_room import fitted
from designsearch.search.spent import Spent
from designsearch.search.study_budget import claim_costs
from designsearch.search.study_choices import LlmOptions
from designsearch.search.study_setup import Prepared, roles_of

VERDICT = 100
"""Tokens of a judgement, about."""

ANSWER = 60
"""Tokens of an answer that a judge reads, about."""

HELPED = 150
"""Tokens that a helper's prompt adds to a record, about."""


@dataclass(frozen=True, slots=True)
class RoleForecast:
    """What one trial may ask of a role.

    Attributes:
        role: the role.
        model: its name.
        least, most: calls of a trial; the least where everything that can be kept is kept.
        input_tokens, output_tokens: of the most calls, at most.
        usd: of the most calls; ``None`` for a model without a price.
        note: what the numbers depend on.
    """

    role: Role
    model: str
    least: int
    most: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    note: str

    def line(self) -> str:
        """In words."""
        calls = f"{self.least:,} to {self.most:,}" if self.least != self.most else f"{self.most:,}"
        tokens = f"at most {self.input_tokens:,} tokens in and {self.output_tokens:,} out"
        money = f", ${self.usd:.4f}" if self.usd is not None else ""
        return f"{self.role} ({self.model}): {calls} calls a trial, {tokens}{money}; {self.note}"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a study may ask of its models.

    Attributes:
        destinations: which server gets what.
        roles: by role, what a trial may ask.
        claim: calls that are kept aside for the claim; 0 where the study has no cap on calls or money.
        trials: scored trials that the caps allow, where every trial asks the most; at least 0.
    """

    destinations: tuple[str, ...]
    roles: tuple[RoleForecast, ...]
    claim: int
    trials: int

    def lines(self) -> list[str]:
        """One line each."""
        found = [*self.destinations, *(role.line() for role in self.roles)]
        if self.claim:
            found.append(f"about {self.claim:,} calls are kept aside for the claim on the locked questions")
        noun = "trial" if self.trials == 1 else "trials"
        return [
            *found,
            f"the caps allow {self.trials} {noun} if each asks the most that is said here; nothing was sent",
        ]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def forecast(prepared: Prepared) -> Forecast | None:
    """What the models of a study may be asked; ``None`` where it asks none.

    Answers are counted as they will be asked; tokens from above, by the context budget and the longest replies. What
    is found in the cache costs nothing.

    Raises:
        UserError: a model cannot be used as it is named.
    """
    from designsearch.runtime.models.team import Team

    models = roles_of(prepared.file)
    if not models:
        return None
    team = Team.open(models)
    try:
        destinations = tuple(team.destinations())
    finally:
        team.close()
    roles = tuple(_roles(prepared, models))
    claim = _claim(prepared, roles)
    return Forecast(destinations, roles, claim.calls, _trials(prepared, roles, claim))


def _roles(prepared: Prepared, models: dict[Role, ModelSettings]) -> Iterator[RoleForecast]:
    for role, settings in models.items():
        yield {
            "answerer": _answerer,
            "judge": _judge,
            "proposer": _proposer,
            "embedder": _embedder,
        }.get(role, _helper)(prepared, role, settings)


def _answerer(prepared: Prepared, role: Role, settings: ModelSettings) -> RoleForecast:
    calls = prepared.split.size("validation") * settings.replicates
    longest = _longest(prepared.base, settings)
    read = prepared.file.shape.context_budget + bare_length("answer/answer") + _mean_question(prepared)
    return _made(role, settings, calls, calls, read, longest, "one for each validation question and replicate")


def _judge(prepared: Prepared, role: Role, settings: ModelSettings) -> RoleForecast:
    calls = prepared.split.size("validation") * settings.replicates
    read = bare_length("judge/judge") + _mean_question(prepared) + 2 * ANSWER
    return _made(role, settings, 0, calls, read, VERDICT, "only for answers that no rule can compare")


def _proposer(prepared: Prepared, role: Role, settings: ModelSettings) -> RoleForecast:
    options = prepared.file.proposer.options
    llm = fitted(options if isinstance(options, LlmOptions) else LlmOptions(), settings)
    alone = isinstance(options, LlmOptions)
    note = "one a proposal, and one more for each repair" + ("" if alone else "; none where another one proposes")
    return _made(role, settings, int(alone), 1 + llm.repairs, llm.tokens, settings.max_output_tokens, note)


def _helper(prepared: Prepared, role: Role, settings: ModelSettings) -> RoleForecast:
    """From nothing, where a trial changes nothing that is written, to all that the base's operators may ask."""
    work = list(_helped(prepared))
    most = sum(calls for calls, _ in work)
    read = -(-sum(calls * tokens for calls, tokens in work) // max(1, most))
    note = "what is written is kept: only what a trial changes is asked for" if work else "the base needs none"
    note += "; a revision that adds an operator with a model asks more"
    return _made(role, settings, 0, most, read, min(settings.max_output_tokens, 2 * HELPED), note)


def _helped(prepared: Prepared) -> Iterator[tuple[int, int]]:
    """Calls, and tokens that each reads, by place in the base that needs the helper."""
    base, split = prepared.base, prepared.split
    records, length = sum(len(task.full) for task in prepared.data.tasks), _mean_record(prepared)
    units = 1
    for path, stage in stages_of(base):
        work = stage.params.model_work()
        if path[0] == "storage" and path[-1] == "units":
            items, units = records, work.units
        elif path[0] == "storage":
            items = records * units
        else:
            items = split.size("validation") + split.size("train")
        if stage.needs_model:
            yield items * work.requests, HELPED + work.shown * length
    if base.answer.check is not None and prepared.file.shape.objective == "accuracy":
        # each round is a revision and a check of it
        calls = split.size("validation") * (1 + 2 * base.answer.check.rounds)
        read = prepared.file.shape.context_budget + bare_length("answer/revise") + _mean_question(prepared) + ANSWER
        yield calls, read


def _embedder(prepared: Prepared, role: Role, settings: ModelSettings) -> RoleForecast:
    records = sum(len(task.full) for task in prepared.data.tasks)
    return _made(role, settings, 0, records, _mean_record(prepared), 0, "texts at most, in batches, each text once")


def _made(
    role: Role, settings: ModelSettings, least: int, most: int, read: int, written: int, note: str
) -> RoleForecast:
    usd = _cost(settings.price, most * read, most * written)
    return RoleForecast(role, settings.model, least, most, most * read, most * written, usd, note)


def _cost(price: Price | None, read: int, written: int) -> float | None:
    return cost(price, read, written) if price is not None else None


def _longest(base: Design, settings: ModelSettings) -> int:
    return base.answer.max_output_tokens or settings.max_output_tokens


def _mean_question(prepared: Prepared) -> int:
    texts = [question.question for task in prepared.data.tasks for question in task.questions]
    return int(BundledCounter().count_all(texts).mean()) + 1


def _mean_record(prepared: Prepared) -> int:
    texts = [text for task in prepared.data.tasks for text in task.full.texts]
    return int(BundledCounter().count_all(texts).mean()) + 1 if texts else 0


def _claim(prepared: Prepared, roles: tuple[RoleForecast, ...]) -> Spent:
    """Calls and US dollars of the claim, reckoned as the study itself does it."""
    budget, split = prepared.file.shape.budget, prepared.split
    if budget.usd is None and budget.llm_calls is None:
        return Spent()
    calls, usd = _base(roles)
    return claim_costs(calls, usd, validation=split.size("validation"), locked=split.size("locked"))


def _base(roles: tuple[RoleForecast, ...]) -> tuple[int, float]:
    """Calls and US dollars of scoring the base: as of a trial, but nobody proposes."""
    base = [one for one in roles if one.role != "proposer"]
    return sum(one.most for one in base), sum(one.usd or 0.0 for one in base)


def _trials(prepared: Prepared, roles: tuple[RoleForecast, ...], claim: Spent) -> int:
    """Trials that the caps allow beside base and claim."""
    budget = prepared.file.shape.budget
    base_calls, base_usd = _base(roles)
    found = [float(budget.trials)]
    calls, usd = sum(one.most for one in roles), sum(one.usd or 0.0 for one in roles)
    if budget.llm_calls is not None and calls:
        found.append((budget.llm_calls - base_calls - claim.calls) / calls)
    if budget.usd is not None and usd:
        found.append((budget.usd - base_usd - claim.usd) / usd)
    return max(0, floor(min(found)))
