"""YAML text to a validated design, or to all of its problems at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as FilePath

from designsearch.dsl.cascades import check_cascade
from designsearch.dsl.contexts import check_context, context_plan
from designsearch.dsl.design import AnswerPlan, CheckPlan, Design
from designsearch.dsl.drafts import Draft, Drafter
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.grammar import DesignShape
from designsearch.dsl.operators import REGISTRY, Registry
from designsearch.dsl.problems import InvalidFileError, Problem, first_problems
from designsearch.dsl.source import Source, read_text, scan
from designsearch.dsl.stores import check_stores, store_plans


def validate(source: Source, registry: Registry = REGISTRY) -> list[Problem]:
    """All problems of a design, in the order of their places; none means that it can be loaded."""
    return _examine(source, registry, None)[1]


def load_design(
    text: str,
    file: str = "<design>",
    registry: Registry = REGISTRY,
    base_dir: FilePath | None = None,
    overrides: Sequence[Edit] = (),
) -> Design:
    """Read and validate a design.

    Args:
        text: the YAML.
        file: the name for messages.
        registry: the operators a design may use.
        base_dir: the folder that paths inside the design are relative to.
        overrides: edits made to the text before it is checked, as ``--set`` does.

    Raises:
        InvalidFileError: with every problem.
        UserError: an override cannot be made.
    """
    for edit in overrides:
        text = apply(text, edit)
    design, problems = _examine(scan(text, file), registry, base_dir)
    if design is None:
        raise InvalidFileError(problems)
    return design


def load_design_file(path: str | FilePath, registry: Registry = REGISTRY, overrides: Sequence[Edit] = ()) -> Design:
    """Read and validate a design file; paths inside it are relative to its folder.

    Raises:
        InvalidFileError: with every problem.
        UserError: an override cannot be made.
    """
    return load_design(read_text(path), str(path), registry, FilePath(path).parent, overrides)


def _examine(source: Source, registry: Registry, base_dir: FilePath | None) -> tuple[Design | None, list[Problem]]:
    drafter = Drafter(source, registry, base_dir)
    written = {key: value for key, value in source.value.items() if not key.startswith("x-")}
    parts = drafter.part(written, DesignShape, ())
    stores = check_stores(parts.get("storage"), drafter)
    cascade = parts.get("retrieval")
    if isinstance(cascade, list) and cascade and all(isinstance(item, Draft) for item in cascade):
        check_cascade(cascade, ("retrieval",), stores, drafter)
    check_context(parts.get("context"), stores, drafter)
    problems = [*source.problems, *drafter.problems]
    if not problems:
        shape = drafter.build(DesignShape, parts, ())
        if shape is not None:
            return _design(shape, source, registry, base_dir), []
        problems = drafter.problems
    return None, first_problems(dict.fromkeys(problems))


def _design(shape: DesignShape, source: Source, registry: Registry, base_dir: FilePath | None) -> Design:
    return Design(
        name=shape.name,
        about=shape.about,
        stores=store_plans(shape.storage, registry),
        retrieval=shape.retrieval,
        context=context_plan(shape.context),
        answer=_answer_plan(shape),
        text=source.text,
        file=source.file,
        base_dir=base_dir,
    )


def _answer_plan(shape: DesignShape) -> AnswerPlan:
    check = shape.answer.check
    plan = CheckPlan(check.rounds, check.unsupported) if check is not None else None
    return AnswerPlan(shape.answer.max_output_tokens, plan)
