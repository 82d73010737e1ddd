"""What generating a study's questions may ask of its models, told before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from designsearch.runtime.models.books.spending import cost
from designsearch.runtime.models.prompted import bare_length
from designsearch.runtime.models.settings import ModelSettings, Role
from designsearch.search.study_file import StudyFile
from designsearch.search.study_questions import Order, Parted, entries, kept_questions
from designsearch.search.study_setup import generating_roles
from designsearch.search.supervision.settings import SupervisionSettings, making_roles

ANSWERED = 200
"""Tokens of a reply of a reviewer or a reader, about."""

PLANNED = 500
"""Tokens of a plan, about."""

USUAL = "2 to 10"
"""How many bundles a question usually takes."""


@dataclass(frozen=True, slots=True)
class MakingForecast:
    """What the questions of one history ask of a role at the least.

    Attributes:
        history: its name.
        questions: number of questions wanted.
        role: the role.
        model: its name.
        calls: where every bundle gives a question.
        input_tokens, output_tokens: of these calls, about.
        usd: likewise; ``None`` for a model without a price.
    """

    history: str
    questions: int
    role: Role
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None

    def line(self) -> str:
        """In words."""
        money = f", ${self.usd:.4f}" if self.usd is not None else ""
        return (
            f"{self.role} ({self.model}): at least {self.calls:,} calls for {self.questions:,} questions about "
            f"{self.history}, about {self.input_tokens:,} tokens in and {self.output_tokens:,} out{money}"
        )


def pending(study: StudyFile) -> list[Order]:
    """The questions that a study wants generated and that are not there yet.

    Raises:
        UserError: a history, a name, a source or a question file is not there or has mistakes.
        CannotContinueError: questions are there that were generated with something else.
    """
    found: list[Order] = []

    def supply(order: Order) -> Parted:
        if order.finished():
            return kept_questions(order)
        found.append(order)
        return {}

    entries(study, supply)
    return found


def plan(study: StudyFile, orders: Sequence[Order]) -> tuple[list[str], list[dict[str, Any]]]:
    """What would be generated, in lines for people and as plain values of what models are asked at the least."""
    models = generating_roles(study)
    found = [one for order in orders for one in _roles(order, models)]
    lines = [_line(order, models) for order in orders]
    if found:
        lines += [one.line() for one in found]
        lines.append(f"a question usually takes {USUAL} bundles, as many times that; the caps of the study hold")
    lines.append("what the rest of the study takes can be told when the questions are there")
    return lines, [asdict(one) for one in found]


def _line(order: Order, models: Mapping[Role, ModelSettings]) -> str:
    settings = order.settings
    asked = any(role in models for role in making_roles(settings))
    how = f"{settings.generator}, {'verified' if settings.verify else 'not verified'}"
    who = "" if asked else ", by rules; no call leaves this machine and nothing is charged"
    return f"{settings.count:,} questions would be generated about {order.dataset.name} ({how}){who}"


def _roles(order: Order, models: Mapping[Role, ModelSettings]) -> Iterator[MakingForecast]:
    settings = order.settings
    for role in making_roles(settings):
        if role not in models:
            continue
        requests = list(_requests(role, settings))
        calls = settings.count * len(requests)
        read = settings.count * sum(read for read, _ in requests)
        written = settings.count * sum(written for _, written in requests)
        price = models[role].price
        usd = cost(price, read, written) if price is not None else None
        yield MakingForecast(order.dataset.name, settings.count, role, models[role].model, calls, read, written, usd)


def _requests(role: Role, settings: SupervisionSettings) -> Iterator[tuple[int, int]]:
    """Tokens read and written by each request that one question takes at the least."""
    bundle = settings.bundle_tokens
    if role == "planner":
        yield bundle + bare_length("supervise/plan"), PLANNED
        if settings.generator == "plan":
            yield bundle + PLANNED + bare_length("supervise/question"), ANSWERED
    elif role == "reviewer":
        yield bundle + PLANNED + bare_length("supervise/audit"), ANSWERED
    else:
        for on in (True, settings.necessity, settings.uniqueness):
            if on:
                yield bundle + bare_length("supervise/recover"), ANSWERED
