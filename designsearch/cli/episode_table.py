"""How commands show what a memory policy did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.tables import Table, one_line, table

if TYPE_CHECKING:
    from designsearch.asking import StageTrace
    from designsearch.episode_trace import EpisodeStep, EpisodeTrace

WIDTH = 60
MOST = 8
"""Units of a step, and records of one of them, that are named; the rest is counted."""


def heading(stage: StageTrace | EpisodeTrace) -> str:
    """How often it searched, what it wrote, later notes in the place of earlier ones included, and how much it read."""
    searches = sum(step.action == "search" for step in stage.episode)
    written = sum(len(step.records) for step in stage.episode if step.action == "add")
    read = figures.count(sum(step.tokens for step in stage.episode), "tokens")
    made = figures.number_of(searches, "search", "searches")
    return f"{stage.path} {stage.op}: {made}, {figures.number_of(written, 'note')} written, {read} read"


def steps(stage: StageTrace | EpisodeTrace) -> Table:
    """One row an action."""
    rows = [
        (str(number), step.action, str(len(step.records)) if step.records else "", _tokens(step), _said(step))
        for number, step in enumerate(stage.episode, 1)
    ]
    return table(">step", "action", ">units", ">read", "what*", rows=rows)


def step_line(step: EpisodeStep) -> str:
    """An action in a line, as in ``add 2 units, 310 tokens read: m3, m4``."""
    units = figures.number_of(len(step.records), "unit") if step.records else ""
    read = f"{figures.count(step.tokens, 'tokens')} read" if step.tokens else ""
    counted = ", ".join(filter(None, [units, read]))
    return ": ".join(filter(None, [f"{step.action} {counted}".strip(), _said(step)]))


def _tokens(step: EpisodeStep) -> str:
    return figures.count(step.tokens) if step.tokens else ""


def _said(step: EpisodeStep) -> str:
    if step.action == "search":
        hidden = f"; {figures.count(step.hidden)} more found than shown" if step.hidden else ""
        return f"{step.source}: {one_line(step.query, WIDTH)}{hidden}"
    if step.action == "add":
        contents = step.contents or [""] * len(step.records)
        notes = list(zip(step.records, contents, strict=True))[:MOST]
        named = ", ".join(_note(records, content) for records, content in notes)
        more = len(step.records) - MOST
        return named + (f" and {more} more" if more > 0 else "")
    return one_line(": ".join(part for part in (step.source, step.reason) if part), WIDTH)


def _note(records: tuple[str, ...], content: str) -> str:
    """The records that a note cites, with what a model wrote of them."""
    more = len(records) - MOST
    named = "+".join([*records[:MOST], *([f"{more} more"] if more > 0 else [])])
    return f"{named} ({one_line(content, WIDTH)})" if content else named
