"""Rules about how evidence is shown."""

from __future__ import annotations

from designsearch.dsl.grammar import DEFAULT_ITEM
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule import rule
from designsearch.search.proposers.workpiece import Workpiece


def _items(piece: Workpiece) -> list[str]:
    return [str(piece.layout(section).get("item", DEFAULT_ITEM)) for section in piece.sections]


def _speaks(piece: Workpiece, item: str) -> str:
    """The item without its date, and with the author only where it had one and there are several."""
    one_role = len(piece.units.get("roles") or ()) == 1
    return "{{ unit.author }}: {{ unit.text }}" if "unit.author" in item and not one_role else DEFAULT_ITEM


def _dated(piece: Workpiece) -> bool:
    return any("unit.time" in item for item in _items(piece))


def _says_when(piece: Workpiece) -> bool:
    """Whether the reader of a context can tell when something was said: from each item, or from titles."""
    return _dated(piece) or any(piece.layout(section).get("group_by") == "day" for section in piece.sections)


@rule(
    "dates_as_titles",
    "say dates as titles of days",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn, and every item "
    "repeats its date",
    "a date is said once a day, and more items fit",
    lambda p, piece: 0.2 * p.crowded_out if _dated(piece) else 0.0,
)
def _dates_as_titles_rule(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        item = str(piece.layout(section).get("item", DEFAULT_ITEM))
        piece.set((*section, "item"), _speaks(piece, item))
        piece.set((*section, "order"), "chronological")
        piece.set((*section, "group_by"), "day")
        piece.set((*section, "group"), "[{{ group }}]")


@rule(
    "no_authors",
    "leave out the author of each item",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn, and who speaks is "
    "{role} throughout",
    "shorter items, of which more fit",
    lambda p, piece: 0.12 * p.crowded_out if _names_one_author(piece) else 0.0,
)
def _no_authors_rule(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        item = str(piece.layout(section).get("item", DEFAULT_ITEM))
        piece.set((*section, "item"), item.replace("{{ unit.author }}: ", ""))


def _names_one_author(piece: Workpiece) -> bool:
    one_role = len(piece.units.get("roles") or ()) == 1
    return one_role and any("{{ unit.author }}: " in item for item in _items(piece))


@rule(
    "fill_up",
    "skip units that do not fit",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn",
    "a unit that does not fit is skipped, and smaller ones after it still enter",
    lambda p, piece: 0.3 * p.crowded_out if any(_stops(piece)) else 0.0,
)
def _fill_up_rule(piece: Workpiece, profile: Profile) -> None:
    for section, stops in zip(piece.sections, _stops(piece), strict=True):
        if stops:
            piece.set((*section, "fill"), "skip")
            if piece.layout(section).get("max_units") is not None:
                piece.set((*section, "max_units"), None)


def _stops(piece: Workpiece) -> list[bool]:
    layouts = [piece.layout(section) for section in piece.sections]
    return [layout.get("fill") == "stop" or layout.get("max_units") is not None for layout in layouts]


@rule(
    "say_when",
    "show day and author, in order of time",
    "{answering:.0%} of the failures had all their evidence in the context",
    "the answerer sees who said what when, in order",
    lambda p, piece: 0.15 * p.answering if not _says_when(piece) else 0.0,
)
def _say_when_rule(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        piece.set((*section, "item"), "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}")
        piece.set((*section, "order"), "chronological")


@rule(
    "best_at_the_ends",
    "put the best at both ends",
    "{answering:.0%} of the failures had all their evidence in the context",
    "what ranks best stands where it is read best",
    lambda p, piece: 0.05 * p.answering if piece.layout(piece.sections[0]).get("order") != "edges" else 0.0,
)
def _best_at_the_ends_rule(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        piece.set((*section, "order"), "edges")


CONTEXT_RULES = (
    _dates_as_titles_rule,
    _no_authors_rule,
    _fill_up_rule,
    _say_when_rule,
    _best_at_the_ends_rule,
)
"""In order of the text above; which one is tried first is a matter of what they expect."""
