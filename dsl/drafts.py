"""From the plain tree of a document to checked parts and stages, collecting every problem on the way.

A stage is looked up by its ``op`` first, so that a mistake in its parameters is only ever reported as one about that
operator. A stage with a mistake stays in the tree as a draft, so that the checks across stages still see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path as FilePath
from typing import Any, TypeVar

from jsonschema import Draft202012Validator, ValidationError
from pydantic import BaseModel
from pydantic import ValidationError as ModelError

from designsearch.dsl.complaints import complaint, leaves, short
from designsearch.dsl.file_digest import file_digest, file_named
from designsearch.dsl.misplaced import SLOT_PLACES, place_hint, slot_of
from designsearch.dsl.operators import STAGE_MARK, Branches, Operator, Params, Registry, Slot, Stage, When
from designsearch.dsl.paths import Path
from designsearch.dsl.problems import MOST_PROBLEMS, Problem, nearest
from designsearch.dsl.schema import model_schema
from designsearch.dsl.source import Source
from designsearch.dsl.template_check import TemplateMistake
from designsearch.dsl.template_places import place_in_source
from designsearch.dsl.when import WhenError, parse_when

M = TypeVar("M", bound=BaseModel)


@dataclass(slots=True, eq=False)
class Draft:
    """A stage as far as it could be understood.

    Attributes:
        path: where it stands.
        operator: its operator, ``None`` where ``op`` names none.
        values: its parameters as written, inner stages as drafts.
        when: its test.
        stage: the stage itself, ``None`` while something in it is wrong.
    """

    path: Path
    operator: Operator | None = None
    values: dict[str, Any] = field(default_factory=dict)
    when: When | None = None
    stage: Stage | None = None

    def get(self, name: str) -> Any:
        """A parameter as written, else its default; ``None`` where the operator has none of that name."""
        if name in self.values:
            return self.values[name]
        info = self.operator.params.model_fields.get(name) if self.operator else None
        return info.get_default(call_default_factory=True) if info and not info.is_required() else None

    def has(self, name: str) -> bool:
        """Whether the operator has a parameter of that name."""
        return self.operator is not None and name in self.operator.params.model_fields

    def cascades(self) -> Iterator[tuple[Path, list[Draft]]]:
        """The inner cascades, each with its path: a parameter that is one, or one branch of several."""
        for name, value in self.values.items():
            if _is_cascade(value) and value:
                yield (*self.path, name), value
            elif isinstance(value, dict) and self._has_branches(name):
                yield from (((*self.path, name, branch), held) for branch, held in value.items() if _is_cascade(held))

    def _has_branches(self, name: str) -> bool:
        return (
            self.has(name)
            and self.operator is not None
            and self.operator.params.model_fields[name].annotation == Branches
        )


def _is_cascade(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, Draft) for item in value)


@lru_cache(maxsize=512)
def _validator(model: type[BaseModel]) -> Draft202012Validator:
    return Draft202012Validator(model_schema(model))


class Drafter:
    """Checks values against models and builds drafts of stages; ``problems`` grows.

    Args:
        source: the document.
        registry: what it may be made of.
        base_dir: the folder that paths in it are relative to. ``None``: the working folder, and a file that is not
            there is left to whoever reads it.
    """

    def __init__(self, source: Source, registry: Registry, base_dir: FilePath | None = None) -> None:
        self.source = source
        self.registry = registry
        self.base_dir = base_dir
        self.problems: list[Problem] = []

    def report(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> None:
        """Note a problem, unless the YAML there was reported as broken already."""
        if len(self.problems) > MOST_PROBLEMS or any(path[:n] in self.source.broken for n in range(1, len(path) + 1)):
            return
        make = self.source.key_problem if key else self.source.problem
        self.problems.append(make(path, message, hint))

    def report_template(self, path: Path, text: str, mistake: TemplateMistake) -> None:
        """Note a mistake inside the template at ``path``."""
        index = place_in_source(self.source, path, text, mistake.offset, mistake.fragment)
        self.problems.append(self.source.problem_at(index, path, mistake.message, mistake.hint))

    def part(self, value: Any, model: type[BaseModel], path: Path, owner: str = "") -> Any:
        """Check ``value`` against a model and return it with drafts in the places of stages."""
        told = [leaf for error in _validator(model).iter_errors(value) for leaf in leaves(error)]
        choices = {tuple(error.absolute_path) for error in told if error.validator in ("enum", "const")}
        for error in told:
            # The choices say more than the type does.
            if error.validator != "type" or tuple(error.absolute_path) not in choices:
                self.tell(error, path, owner)
        schema = model_schema(model)
        return self.convert(value, schema, schema.get("$defs", {}), path)

    def tell(self, error: ValidationError, base: Path, owner: str) -> None:
        """Turn one error of the schema into problems."""
        path = (*base, *error.absolute_path)
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            known = list(_properties(error))
            for name in islice((key for key in error.instance if key not in known), MOST_PROBLEMS + 1):
                hint = place_hint(name, known, self.registry)
                said = f"{owner} has no parameter {name}" if owner and path == base else f"unknown key {name}"
                self.report((*path, name), said, hint, key=True)
        elif error.validator == "required":
            missing = next(name for name in _properties(error) if error.message.startswith(repr(name)))
            said = f"{owner} needs {missing}" if owner and path == base else f"{missing} is missing"
            self.report(path, said, str(_properties(error)[missing].get("description", "")))
        else:
            self.report(path, *complaint(error))

    def convert(self, value: Any, schema: Any, definitions: dict[str, Any], path: Path) -> Any:
        """Walk a value along its schema and put drafts where stages stand."""
        if not isinstance(schema, dict):
            return value
        if "$ref" in schema:
            return self.convert(value, definitions[schema["$ref"].rsplit("/", 1)[1]], definitions, path)
        if STAGE_MARK in schema:
            return self.stage(value, schema[STAGE_MARK], path)
        if "anyOf" in schema and value is not None:
            form: Any = next((f for f in schema["anyOf"] if f.get("type") != "null"), {})
            return self.convert(value, form, definitions, path)
        if isinstance(value, list) and "items" in schema:
            return [self.convert(item, schema["items"], definitions, (*path, i)) for i, item in enumerate(value)]
        if isinstance(value, dict):
            return {k: self.convert(v, _entry(schema, k), definitions, (*path, k)) for k, v in value.items()}
        return value

    def stage(self, value: Any, slot: Slot, path: Path) -> Draft:
        """The draft of one stage."""
        draft = Draft(path)
        if not isinstance(value, dict):
            self.report(path, f"a stage is a mapping with op; got {short(value)}", self._stage_hint(value, slot))
            return draft
        draft.operator = self.operator(value, slot, path)
        if draft.operator is None:
            return draft
        before = len(self.problems)
        written = {key: inner for key, inner in value.items() if key != "op"}
        if slot == "cascade" and "when" in written:
            draft.when = self.when(written.pop("when"), (*path, "when"))
        draft.values = self.part(written, draft.operator.params, path, draft.operator.name)
        if len(self.problems) == before and not self._broken_within(path):
            params = self.build(draft.operator.params, draft.values, path)
            if params is not None:
                draft.stage = Stage(draft.operator, params, draft.when, self.contents(params, path))
        return draft

    def contents(self, params: Params, path: Path) -> tuple[tuple[str, str], ...]:
        """What the files that a stage names hold."""
        found = []
        for name, written in params.files().items():
            digest = file_digest(file_named(written, self.base_dir))
            if digest is not None:
                found.append((name, digest))
            elif self.base_dir is not None:
                message = f"there is no file or folder {short(written)}, or nothing in it can be read"
                self.report((*path, name), message, f"a path is seen from {self.base_dir}, the folder of the design")
        return tuple(found)

    def _broken_within(self, path: Path) -> bool:
        return any(broken[: len(path)] == path for broken in self.source.broken)

    def operator(self, value: dict[str, Any], slot: Slot, path: Path) -> Operator | None:
        """The operator that a stage names."""
        names = self.registry.names(slot)
        name = value.get("op")
        if not isinstance(name, str):
            if "op" in value:
                self.report((*path, "op"), f"op must be the name of an operator; got {short(name)}")
            else:
                self.report(path, "op is missing: a stage names its operator", self._op_hint(value, slot))
            return None
        found = self.registry.get(slot, name)
        if found is None:
            other = slot_of(name, self.registry)
            hint = nearest(name, names) or f"the operators here are {', '.join(names)}"
            if other is not None:
                hint = f"{name} belongs in {SLOT_PLACES[other]}"
            self.report((*path, "op"), f"unknown operator {name}", hint)
        return found

    def _stage_hint(self, value: Any, slot: Slot) -> str:
        known = isinstance(value, str) and self.registry.get(slot, value) is not None
        return f"write {{op: {value if known else '...'}}}"

    def _op_hint(self, value: dict[str, Any], slot: Slot) -> str:
        for key, inner in value.items():
            if self.registry.get(slot, key):
                return f"write {{op: {key}}}" + (" with its parameters beside op" if inner else "")
            if isinstance(inner, str) and self.registry.get(slot, inner):
                return f"write op: {inner} instead of {key}: {inner}"
        return ""

    def when(self, value: Any, path: Path) -> When | None:
        """The test of a stage."""
        try:
            return parse_when(value if isinstance(value, str) else short(value))
        except WhenError as error:
            self.report(path, error.message, error.hint)
            return None

    def build(self, model: type[M], values: Any, path: Path) -> M | None:
        """The model itself; what only its own validators know is reported here."""
        try:
            return model.model_validate(_stages(values))
        except ModelError as error:
            for detail in error.errors(include_url=False):
                where = tuple(step for step in detail["loc"] if isinstance(step, str | int))
                self.report((*path, *where), str(detail["msg"]).removeprefix("Value error, "))
            return None


def _properties(error: ValidationError) -> dict[str, Any]:
    schema: Any = error.schema
    properties: dict[str, Any] = schema.get("properties", {})
    return properties


def _entry(schema: dict[str, Any], key: str) -> Any:
    return schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))


def _stages(value: Any) -> Any:
    if isinstance(value, Draft):
        return value.stage
    if isinstance(value, list):
        return [_stages(item) for item in value]
    if isinstance(value, dict):
        return {key: _stages(item) for key, item in value.items()}
    return value
