"""How questions are made from a history; each setting declared once, for the command, studies and the reference."""

from __future__ import annotations

from typing import Literal

from designsearch.dsl.operators import Params, param
from designsearch.runtime.models.settings import Role

GeneratorName = Literal["plan", "plan-one-response", "direct", "corpus"]
Asked = Literal["auto", "after", "end"]


class SupervisionSettings(Params):
    """Questions with evidence that are made from the history itself."""

    count: int = param(200, about="Questions wanted, over all parts.", ge=1)
    generator: GeneratorName = param(
        "plan",
        about="plan: a checked plan, then a question in a call of its own; plan-one-response: both in one; direct: "
        "question and answer from the records at once; corpus: a scenario out of a graph of the history's names.",
    )
    verify: bool = param(True, about="Audit by a reviewer, and blind answering by a reader.")
    necessity: bool = param(True, about="The check that no evidence record can be done without.")
    uniqueness: bool = param(True, about="The search of the whole history for another answer.")
    bundle_tokens: int = param(1500, about="The most tokens of the records that one question is made from.", ge=50)
    hops: int = param(3, about="Steps from record to connected record.", ge=0, le=20)
    unanswerable: float = param(0.1, about="Share of questions that the history does not answer.", ge=0, le=0.5)
    updated: float = param(0.05, about="Share of questions about a value that was updated later.", ge=0, le=0.5)
    roles: tuple[str, ...] | None = param(
        None,
        about="Only what these roles say is asked about; where none are named, all but assistant, which mostly repeats "
        "what it was told, and system, which is no person.",
        min_length=1,
    )
    asked: Asked = param(
        "auto",
        about="after: each question is asked at a time of its own, 3 to 90 days after its last evidence, as one asks "
        "an assistant along the way; end: all are asked after everything, as one asks an archive; auto: after where "
        "the history has an assistant, else end.",
    )
    seed: int = param(0, about="Of all chance in it.", ge=0, lt=2**32)


def making_roles(settings: SupervisionSettings) -> tuple[Role, ...]:
    """The roles that there is work for."""
    return ("planner", "reviewer", "reader") if settings.verify else ("planner",)
