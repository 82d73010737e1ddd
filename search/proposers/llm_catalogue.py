"""What designs may be made of, written for a model: the operators of the registry and the parts that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import BaseModel

from designsearch.dsl.grammar import AnswerShape, CheckShape, ContextShape, SectionShape
from designsearch.dsl.operator_facts import Fact, asking_choices, facts_of, in_order, plain
from designsearch.dsl.operators import Operator, Registry
from designsearch.dsl.when import CHOICES

LEFT_ALONE = frozenset({"model", "file", "path", "folder", "url", "base_url", "base_dir"})
"""Settings that name what lies outside a design: a model that proposes must not choose them."""

_WHEN = f"Any stage of retrieval may have when: it applies to a question only if the test holds ({', '.join(CHOICES)})."


def catalogue(registry: Registry, *, helper: bool) -> str:
    """The catalogue, the same for every proposal of a study.

    Args:
        registry: what designs may be made of.
        helper: whether the study has a model for the role helper; what needs one is left out where it has none.
    """
    blocks: list[str] = []
    for title, operators in in_order(registry):
        usable = [op for op in operators if helper or op.works_alone]
        if usable:
            lines = (line for op in usable for line in _operator(op, helper=helper))
            blocks.append("\n".join([f"# {title}", *lines]))
    blocks.append(_WHEN)
    blocks.append("\n".join(["# storage.stores: several named stores instead of units, views and write", *_STORES]))
    blocks.append("\n".join(["# context", *_shape(ContextShape)]))
    blocks.append("\n".join(["# context.sections[i], beside those of context", *_shape(SectionShape, ContextShape)]))
    blocks.append("\n".join(["# answer", *_shape(AnswerShape, leave=() if helper else ("check",))]))
    if helper:
        blocks.append("\n".join(["# answer.check", *_shape(CheckShape)]))
    return "\n\n".join(blocks)


_STORES = [
    "- NAME: {units: STAGE, views: {NAME: STAGE}, write: STAGE, from: the store whose units it is made from}",
    "- every retriever then names its store",
]


def _operator(op: Operator, *, helper: bool) -> Iterator[str]:
    yield f"{op.name}: {plain(op.summary)}"
    if op.stage == "feature":
        return  # a feature has no settings beside its view, of which the score stage tells
    if op.views:
        yield f"- brings the views {', '.join(op.views)}"
    left = LEFT_ALONE | frozenset(op.params.paths)
    yield from (_fact(fact) for fact in facts_of(op.params) if fact.name not in left)
    asking = [] if helper else [f"{name}: {choice}" for name, choice in asking_choices(op)]
    if asking:
        yield f"- not to be chosen, as they ask a model and there is none: {', '.join(asking)}"


def _shape(model: type[BaseModel], known: type[BaseModel] | None = None, leave: tuple[str, ...] = ()) -> Iterator[str]:
    said = set(known.model_fields) if known is not None else set()
    yield from (_fact(fact) for fact in facts_of(model) if fact.name not in said and fact.name not in leave)


def _fact(fact: Fact) -> str:
    default = "required" if fact.required else f"default {json.dumps(fact.value, ensure_ascii=False)}"
    tried = f", good from {fact.tuned}" if isinstance(fact.tune, dict) else ""
    return f"- {fact.name} ({fact.type}; {default}{tried}): {plain(fact.about)}"
