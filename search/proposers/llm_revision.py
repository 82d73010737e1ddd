"""From a model's edits to a design, or to what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.needs import model_needs
from designsearch.dsl.paths import Path, show_path
from designsearch.dsl.problems import InvalidFileError, UserError, render
from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design
from designsearch.search.catalogue import tunables
from designsearch.search.proposers.base import ProposalState
from designsearch.search.proposers.llm_catalogue import LEFT_ALONE
from designsearch.search.proposers.llm_reply import Ideas, read_edits
from designsearch.search.proposers.open_numbers import OpenNumber, closed, drawn, mark, open_numbers, places, settings

FILE = "design.yaml"
"""What a design is called in messages: its real place says nothing to a model and differs between machines."""

_REDRAWS = 12
_MOST_PROBLEMS = 12


@dataclass(frozen=True, slots=True)
class Revision:
    """What became of a model's edits.

    Attributes:
        text: the design's text after the edits, as far as they could be made.
        edits: the edits, open numbers filled in, as plain JSON; as they came where they could not be made.
        problem: what is wrong with them; empty where the design is valid.
        repeats: where the design was tried before: when, and what it scored.
        open: the numbers that were left open, each with its place, its ends and what was drawn.
    """

    text: str
    edits: tuple[Mapping[str, Any], ...] = ()
    problem: str = ""
    repeats: str = ""
    open: tuple[Mapping[str, Any], ...] = field(default=())


def revise(state: ProposalState, ideas: Ideas) -> Revision:
    """Make the edits of a proposal on the incumbent's text.

    Args:
        state: of the study.
        ideas: what the model proposes.
    """
    text = state.text
    try:
        edits, numbers = open_numbers(read_edits(ideas))
        plain = closed(edits, [number.low for number in numbers])
        text = _applied(state.text, plain)
        design = _checked(state, text)
        made = plain
        if numbers:
            return _filled(state, edits, numbers)
    except UserError as error:
        return Revision(text, ideas.edits, problem=_said(error))
    return Revision(text, _json(made), repeats=_repeats(state, design))


def _filled(state: ProposalState, edits: Sequence[Edit], numbers: Sequence[OpenNumber]) -> Revision:
    """Draw the open numbers until the design is new.

    Raises:
        UserError: the design is not valid at their upper ends.
    """
    lows = [number.low for number in numbers]
    tree = scan(_applied(state.text, closed(edits, lows))).value
    _checked(state, _applied(state.text, closed(edits, [number.high for number in numbers])))

    def takes_fractions(which: int) -> bool:
        tried = [low + 0.5 if i == which else low for i, low in enumerate(lows)]
        try:
            _checked(state, _applied(state.text, closed(edits, tried)))
        except UserError:
            return False
        return True

    at = places(scan(_applied(state.text, closed(edits, [mark(i) for i in range(len(numbers))]))).value, len(numbers))
    chosen = settings(numbers, at, {one.path: one for one in tunables(tree, state.registry)}, takes_fractions)
    draw = state.random("tune")
    for _ in range(_REDRAWS):
        values = drawn(state, chosen, draw.randrange(2**31))
        made = closed(edits, values)
        text = _applied(state.text, made)
        repeats = _repeats(state, _checked(state, text))
        if not repeats:
            break
    told = tuple(
        {"path": show_path(one.path), "low": number.low, "high": number.high, "value": value}
        for one, number, value in zip(chosen, numbers, values, strict=True)
    )
    return Revision(text, _json(made), repeats=repeats, open=told)


def _applied(text: str, edits: Sequence[Edit]) -> str:
    for number, edit in enumerate(edits, start=1):
        try:
            text = apply(text, edit)
        except UserError as error:
            raise UserError(f"edit {number}, {edit.op} {show_path(edit.path)}: {error}") from None
    return text


def _checked(state: ProposalState, text: str) -> Design:
    """The design.

    Raises:
        UserError: with all that is wrong with it.
    """
    _leave_alone(state.text, text, frozenset(name for op in state.registry for name in op.params.paths))
    design = load_design(text, FILE, state.registry, state.design.base_dir)
    if not state.helper and (needs := model_needs(design)):
        raise UserError(
            "\n".join(f"{show_path(path)}: {name} needs a model, and there is none" for path, name in needs)
        )
    return design


def _leave_alone(before: str, after: str, files: frozenset[str]) -> None:
    """Refuse files and models that the incumbent does not name.

    Args:
        before: the incumbent.
        after: what the model made of it.
        files: parameters of operators that name files where they are a text.

    Raises:
        UserError: there are some.
    """
    known = {value for _, value in _outside(scan(before).value, (), files)}
    new = [(path, value) for path, value in _outside(scan(after, FILE).value, (), files) if value not in known]
    if new:
        raise UserError("\n".join(f"{show_path(path)}: files and models cannot be chosen here" for path, _ in new))


def _outside(tree: Any, path: Path, files: frozenset[str]) -> Iterator[tuple[Path, str]]:
    """Settings that name what lies outside the design."""
    if not isinstance(tree, dict | list):
        return
    for step, inner in tree.items() if isinstance(tree, dict) else enumerate(tree):
        named = step in files and isinstance(inner, str)  # fusions have weights too, which are numbers
        if named or (step in LEFT_ALONE and not isinstance(inner, dict) and inner is not None):
            yield (*path, step), f"{step} {inner!r}"
        yield from _outside(inner, (*path, step), files)


def _repeats(state: ProposalState, design: Design) -> str:
    """What is known of a design that was tried before; empty for a new one."""
    if design.hash == state.design.hash:
        return "these edits change nothing: the design is the one that you were given"
    if design.hash not in state.tried:
        return ""
    for attempt in state.attempts:
        if attempt.design_hash == design.hash and attempt.decision != "duplicate":
            if attempt.value is None:
                return f"this design was tried before and could not be scored ({attempt.decision})"
            return f"this design was scored before: {attempt.value:.4f}"
    return f"this design was scored before: {state.base_score:.4f}"


def _said(error: UserError) -> str:
    if isinstance(error, InvalidFileError):
        left = len(error.problems) - _MOST_PROBLEMS
        return render(error.problems[:_MOST_PROBLEMS]) + (f"\nand {left} more" if left > 0 else "")
    return str(error)


def _json(edits: Sequence[Edit]) -> tuple[Mapping[str, Any], ...]:
    return tuple(edit.to_json() for edit in edits)
