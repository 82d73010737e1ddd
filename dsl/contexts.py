"""Checks of how a context is built, and the plan made from it."""

from __future__ import annotations

from typing import Any

from designsearch.dsl.design import ContextPlan, Section
from designsearch.dsl.drafts import Drafter
from designsearch.dsl.grammar import ContextShape, LayoutShape
from designsearch.dsl.misplaced import keys_of
from designsearch.dsl.paths import Path
from designsearch.dsl.problems import nearest
from designsearch.dsl.stores import Stores
from designsearch.dsl.template_check import GROUP, NOTE, QUESTION, Attributes, check_template, unit_attributes

_AROUND = ("header", "footer")
_EXACT = 1e-9


def check_context(context: Any, stores: Stores | None, drafter: Drafter) -> None:
    """Report what is wrong across the parts of a context."""
    path: Path = ("context",)
    if not isinstance(context, dict):
        return
    _check_group(context, path, drafter)
    _check_templates(context, path, stores, drafter)
    sections = context.get("sections")
    if not isinstance(sections, list):
        return
    for key in keys_of(LayoutShape):
        if key in context and key not in _AROUND:
            drafter.report((*path, key), f"with sections, {key} belongs in each section", "move it down", key=True)
    for i, section in enumerate(sections):
        if isinstance(section, dict):
            _check_section(section, (*path, "sections", i), stores, drafter)
    _check_shares(sections, (*path, "sections"), drafter)


def _check_group(part: dict[str, Any], path: Path, drafter: Drafter) -> None:
    if part.get("group") and part.get("group_by") is None:
        message = "group is the title of a group, but nothing is grouped"
        drafter.report((*path, "group"), message, "add group_by", key=True)


def _check_section(section: dict[str, Any], path: Path, stores: Stores | None, drafter: Drafter) -> None:
    _check_group(section, path, drafter)
    source = section.get("from")
    named = {source: stores[source]} if stores and isinstance(source, str) and source in stores else stores
    _check_templates(section, path, named, drafter)
    if stores is not None and isinstance(source, str) and source not in stores:
        hint = nearest(source, stores) or f"the stores are {', '.join(stores)}"
        drafter.report((*path, "from"), f"there is no store {source}", hint)


def _check_templates(part: dict[str, Any], path: Path, stores: Stores | None, drafter: Drafter) -> None:
    """The templates of one section; a template for several stores may use the views that all of them have."""
    if stores is None:
        return
    shared = frozenset.intersection(*stores.values())
    around: Attributes = {"question": QUESTION}
    scopes: dict[str, Attributes] = {
        "item": {"unit": unit_attributes(shared), **around, "note": NOTE},
        "header": around,
        "footer": around,
        "group": {"group": GROUP, **around},
    }
    for key, scope in scopes.items():
        text = part.get(key)
        if isinstance(text, str):
            for mistake in check_template(text, scope):
                drafter.report_template((*path, key), text, mistake)


def _check_shares(sections: list[Any], path: Path, drafter: Drafter) -> None:
    shares = [section.get("share") for section in sections if isinstance(section, dict)]
    given = [share for share in shares if isinstance(share, int | float) and not isinstance(share, bool) and share > 0]
    total = sum(given)
    if total > 1 + _EXACT:
        drafter.report(path, f"the shares add up to {total:.6g}, more than 1", "lower some of them")
    elif shares.count(None) and total > 1 - _EXACT and given:
        message = "a section without share has no budget left: the others have all of it"
        drafter.report(path, message, "lower some of them")


def context_plan(shape: ContextShape) -> ContextPlan:
    """The plan of a context without problems; sections that name no share get equal parts of what is left."""
    if shape.sections is None:
        return ContextPlan((_section(shape, None, 1.0),), shape.header, shape.footer)
    open_shares = [s for s in shape.sections if s.share is None]
    left = 1.0 - sum(s.share for s in shape.sections if s.share is not None)
    equal = round(left / len(open_shares), 9) if open_shares else 0.0
    sections = tuple(
        _section(s, s.source, equal if s.share is None else s.share, s.header, s.footer) for s in shape.sections
    )
    return ContextPlan(sections, shape.header, shape.footer)


def _section(layout: LayoutShape, source: str | None, share: float, header: str = "", footer: str = "") -> Section:
    return Section(
        item=layout.item,
        source=source,
        share=share,
        header=header,
        footer=footer,
        group=layout.group,
        group_by=layout.group_by,
        order=layout.order,
        separator=layout.separator,
        max_units=layout.max_units,
        fill=layout.fill,
    )
