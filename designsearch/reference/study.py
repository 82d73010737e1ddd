"""The page about study files, from their shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from designsearch.dsl.operator_facts import Fact, facts_of
from designsearch.dsl.operators import Params
from designsearch.reference.markdown import code, default, page, prose, table
from designsearch.runtime.models.settings import ModelSettings, Price
from designsearch.search.study_choices import ACCEPTANCE, PROPOSERS
from designsearch.search.study_shape import (
    BudgetShape,
    DataShape,
    ExecutionShape,
    GeneratedShape,
    ModelsShape,
    SplitShape,
    StudyShape,
    WhereShape,
)
from designsearch.search.supervision.settings import SupervisionSettings

INTRODUCTION = (
    "A study file says what a search is to do: on which histories and questions, from which design, with what to rise "
    "and when to stop. Paths are relative to the file. `designsearch validate FILE` checks it; a first line "
    "`# yaml-language-server: $schema=...` (see `designsearch schema study`) lets an editor do so while you write."
)
PARTS: Mapping[str, type[BaseModel]] = {
    "data": DataShape,
    "data.where": WhereShape,
    "data.questions": GeneratedShape,
    "data.questions.generate": SupervisionSettings,
    "split": SplitShape,
    "models": ModelsShape,
    "models.ROLE": ModelSettings,
    "models.ROLE.price": Price,
    "budget": BudgetShape,
    "execution": ExecutionShape,
}
"""Keys that hold keys, with the model of those."""


def study_page() -> str:
    """All keys of a study file."""
    blocks = ["## Keys", _table(facts_of(StudyShape))]
    for key, model in PARTS.items():
        about = (model.__doc__ or "").strip()
        blocks += [f"## {key}", prose(about), _table(facts_of(model))]
    blocks += ["## proposer", "Who proposes revisions: `proposer: {op: NAME, ...}`.", *_choices(PROPOSERS)]
    blocks += ["## accept", "When a revision is better: `accept: {op: NAME, ...}`.", *_choices(ACCEPTANCE)]
    return page("Study files", INTRODUCTION, *blocks)


def _choices(choices: Mapping[str, type[Params]]) -> Iterator[str]:
    for model in choices.values():
        yield prose((model.__doc__ or "").strip())
        facts = facts_of(model)
        if facts:
            yield _table(facts)


def _table(facts: list[Fact]) -> str:
    rows = [(code(fact.name), fact.type, default(fact), fact.about) for fact in facts]
    return table(["key", "type", "default", "what it is"], rows)
