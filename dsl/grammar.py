"""The parts of a design that are not operators, declared once: from these models come the schema and the validation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, WithJsonSchema

from designsearch.dsl.design import Fill, GroupBy, Order, Unsupported
from designsearch.dsl.operators import STAGE_MARK, Cascade, Params, Stage, Tune, param

UnitsStage = Annotated[Stage, WithJsonSchema({STAGE_MARK: "units"})]
ViewStage = Annotated[Stage, WithJsonSchema({STAGE_MARK: "views"})]
WriteStage = Annotated[Stage, WithJsonSchema({STAGE_MARK: "write"})]

DEFAULT_ITEM = "{{ unit.text }}"

NAME_PATTERN = "^[A-Za-z][A-Za-z0-9_]*$"
"""What a view or a store may be called: a name that a template can use."""

RESERVED_VIEWS = ("raw", "text", "time", "author", "role", "session", "source", "section", "id", "meta")
"""Names that a template's ``unit`` has already."""


class Shape(Params):
    """Base of the models here: keys that are Python words are named by alias."""

    model_config = ConfigDict(populate_by_name=True)


class StoreShape(Shape):
    """One named store."""

    units: UnitsStage | None = param(None, about="What one memory is; each record where none is named.")
    views: dict[str, ViewStage] = param({}, about="Further texts to search a unit by; raw always exists.")
    write: WriteStage | None = param(None, about="How units enter the store; append where none is named.")
    source: str | None = param(None, about="The store whose units this one is made from.", alias="from")


class StorageShape(Shape):
    """What is stored: one store written flat, or several named ones."""

    units: UnitsStage | None = param(None, about="What one memory is; each record where none is named.")
    views: dict[str, ViewStage] | None = param(None, about="Further texts to search a unit by; raw always exists.")
    write: WriteStage | None = param(None, about="How units enter the store; append where none is named.")
    stores: dict[str, StoreShape] | None = param(None, about="Several named stores, instead of the keys beside it.")


class LayoutShape(Shape):
    """How chosen units are shown."""

    item: str = param(DEFAULT_ITEM, about="Template of one unit; variables: unit, question.")
    header: str = param("", about="Template before the units; variable: question.")
    footer: str = param("", about="Template after the units; variable: question.")
    order: Order = param("relevance", about="Order of the chosen units; edges puts the best at both ends.", tune=True)
    group_by: GroupBy | None = param(None, about="What units are grouped by after they were chosen.", tune=True)
    group: str = param("", about="Template of a group's title; variables: group, question.")
    separator: str = param("\n", about="What stands between two units.")
    max_units: int | None = param(None, about="The most units shown, however much budget is left.", ge=1)
    fill: Fill = param("skip", about="What a unit does that does not fit: it is skipped, or filling stops.", tune=True)


class SectionShape(LayoutShape):
    """One budgeted part of a context."""

    source: str | None = param(None, about="The store whose units it shows; all where none is named.", alias="from")
    share: float | None = param(None, about="Its share of the budget; else what others leave.", gt=0, le=1)


class ContextShape(LayoutShape):
    """How the answer's context is built."""

    sections: tuple[SectionShape, ...] | None = param(
        None, about="Budgeted parts; what one leaves over flows to the next.", min_length=1
    )


class CheckShape(Shape):
    """A check of the drafted answer against the context, by a model."""

    rounds: int = param(1, about="Times that a draft may be sent back.", ge=1, le=5, tune=Tune(1, 3))
    unsupported: Unsupported = param(
        "abstain", about="What becomes of a draft that the context never came to support.", tune=True
    )


class AnswerShape(Shape):
    """Limits on the answer, and whether it is checked."""

    check: CheckShape | None = param(None, about="Has a model check the drafted answer against the context.")

    max_output_tokens: int | None = param(None, about="The most tokens an answer may have.", ge=1)


class DesignShape(Shape):
    """A memory design."""

    version: Literal[1] = param(about="Version of the design language.")
    name: str = param("", about="The design's own name.")
    about: str = param("", about="One paragraph for people.")
    notes: Any = param(None, about="Anything, for people; ignored.")
    storage: StorageShape = param(StorageShape(), about="What is stored.")
    retrieval: Cascade = param(about="How it is found: a cascade, read from top to bottom.", min_length=1)
    context: ContextShape = param(ContextShape(), about="How the answer's context is built.")
    answer: AnswerShape = param(AnswerShape(), about="Limits on the answer.")
