"""Read a study file: every mistake at once, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import ValidationError

from designsearch.dsl.complaints import short
from designsearch.dsl.drafts import Drafter
from designsearch.dsl.operators import Params, Registry
from designsearch.dsl.paths import Path as Place
from designsearch.dsl.problems import InvalidFileError, UserError, nearest
from designsearch.dsl.schema import model_schema, schema_of_model
from designsearch.dsl.source import Source, read_text, scan
from designsearch.runtime.models.settings import ModelSettings, Role
from designsearch.search.model_block import models_of
from designsearch.search.study_checks import check_study, filled, set_aside
from designsearch.search.study_choices import ACCEPTANCE, PROPOSERS, MixedOptions
from designsearch.search.study_shape import DataShape, StudyShape

RUNS = "runs"
"""Folder of run folders, beside the study file."""

JOURNAL = "journal.log"

LLM = "llm"
"""The proposer that asks a model, alone or among those of ``mixed``."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A proposer or an acceptance rule with its options."""

    op: str
    options: Params

    def canonical(self) -> dict[str, Any]:
        """Plain JSON, defaults filled in."""
        return {"op": self.op} | self.options.model_dump(mode="json")


@dataclass(frozen=True)
class StudyFile:
    """A study as its file describes it.

    Attributes:
        shape: the keys, defaults filled in.
        proposer: who proposes.
        accept: when a revision is better.
        file: where it was read from.
        text: the YAML.
    """

    shape: StudyShape
    proposer: Choice
    accept: Choice
    file: Path
    text: str = field(repr=False)

    @property
    def name(self) -> str:
        """The study's name."""
        return self.shape.study

    @property
    def folder(self) -> Path:
        """The folder that the file's paths are relative to."""
        return self.file.parent

    @property
    def models(self) -> Mapping[Role, ModelSettings]:
        """The roles that a model plays, each with its settings."""
        return self.shape.models.named(self.folder)

    @property
    def asks_proposer(self) -> bool:
        """Whether its proposer asks a model."""
        options = self.proposer.options
        if isinstance(options, MixedOptions):
            return LLM in options.chosen(llm="proposer" in self.models)
        return self.proposer.op == LLM

    def path(self, written: str) -> Path:
        """A path as written in the file, with ``~`` and ``${NAME}`` of the environment filled in."""
        return filled(self.folder, written)

    def history_ref(self, entry: DataShape) -> str:
        """``PATH#NAME`` of a data entry, with the path resolved."""
        return str(self.path(entry.history))

    @property
    def journal(self) -> Path | None:
        """The journal; ``None`` where the storage is a database."""
        written = self.shape.storage
        if written is None:
            return self.folder / RUNS / self.name / JOURNAL
        return None if "://" in written else self.path(written)

    @property
    def run_folder(self) -> Path:
        """Where the run's files are: beside the journal, else ``runs/STUDY``."""
        return self.journal.parent if self.journal is not None else self.folder / RUNS / self.name

    @property
    def storage(self) -> str:
        """The journal's path, or the URL of the database with a relative SQLite path resolved."""
        if self.journal is not None:
            return str(self.journal)
        written = self.shape.storage or ""
        scheme, _, rest = written.partition(":///")
        if scheme == "sqlite" and rest and not rest.startswith("/"):
            return f"sqlite:///{self.path(rest).resolve()}"
        return written


class StudyDrafter(Drafter):
    """A drafter that knows what belongs in a study and what in a design."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, Registry())

    def tell(self, error: ValidationError, base: Place, owner: str) -> None:
        """As for designs, but hints about unknown keys speak of studies."""
        if error.validator == "pattern":
            hint = "use letters, digits, _, . and -, a letter or a digit first"
            self.report((*base, *error.absolute_path), f"{short(error.instance)} cannot be a name here", hint)
            return
        if error.validator != "additionalProperties" or not isinstance(error.instance, dict):
            super().tell(error, base, owner)
            return
        known = list(error.schema.get("properties", {})) if isinstance(error.schema, dict) else []
        place = (*base, *error.absolute_path)
        for key in error.instance:
            if key not in known:
                said = f"{owner} has no option {key}" if owner and place == base else f"unknown key {key}"
                self.report((*place, key), said, _hint(key, known), key=True)


def _hint(key: str, known: list[str]) -> str:
    if close := nearest(key, known):
        return close
    if key in ("storage", "retrieval", "context", "answer"):
        return f"{key} belongs in the design"
    return f"the keys here are {', '.join(known)}" if known else "it takes no options"


def read_study(path: str | Path) -> StudyFile:
    """Read and check a study file.

    Raises:
        InvalidFileError: with every problem.
        UserError: it is a design.
    """
    return parse_study(read_text(path, kind="study"), Path(path))


def parse_study(text: str, file: Path) -> StudyFile:
    """Read and check the text of a study file; paths in it are relative to the file's folder.

    Raises:
        InvalidFileError: with every problem.
        UserError: it is a design.
    """
    source = scan(text, str(file), kind="study")
    if "retrieval" in source.value and not source.value.keys() & {"study", "data", "base"}:
        raise UserError(
            f"{file}: this is a design, not a study; designsearch init writes a study, and it names a design as base"
        )
    drafter = StudyDrafter(source)
    written = {key: value for key, value in source.value.items() if not key.startswith("x-")}
    proposer = options_of(written, "proposer", PROPOSERS, drafter)
    accept = options_of(written, "accept", ACCEPTANCE, drafter)
    written = set_aside(written, drafter)
    models = models_of(written.pop("models", {}), drafter)
    parts = drafter.part(written, StudyShape, ()) | {"models": models}
    problems = [*source.problems, *drafter.problems]
    shape = drafter.build(StudyShape, parts, ()) if not problems else None
    if shape is None or proposer is None or accept is None:
        found = dict.fromkeys([*problems, *drafter.problems])  # no set: what stands at one place keeps its order
        raise InvalidFileError(sorted(found, key=lambda p: (p.line, p.column, p.path)))
    study = StudyFile(shape, proposer, accept, file, text)
    check_study(shape, accept.op, file.parent, drafter, asks_proposer=study.asks_proposer)
    if drafter.problems:
        raise InvalidFileError(drafter.problems)
    return study


def options_of(
    written: dict[str, Any], key: str, choices: Mapping[str, type[Params]], drafter: Drafter
) -> Choice | None:
    """Take ``{op: NAME, ...}`` out of the study and check its options by the model of that name."""
    default = {"proposer": "mixed", "accept": "paired"}[key]
    value = written.pop(key, {"op": default})
    if not isinstance(value, dict) or not isinstance(value.get("op"), str):
        hint = f"write {key}: {{op: {value}}}" if isinstance(value, str) else f"one of {', '.join(choices)}"
        drafter.report((key,), f"{key} is a mapping with op", hint)
        return None
    op = value["op"]
    if op not in choices:
        drafter.report((key, "op"), f"unknown {key} {op}", nearest(op, choices) or f"one of {', '.join(choices)}")
        return None
    before = len(drafter.problems)
    values = drafter.part({name: v for name, v in value.items() if name != "op"}, choices[op], (key,), op)
    options = drafter.build(choices[op], values, (key,)) if len(drafter.problems) == before else None
    return Choice(op, options) if options is not None else None


def study_schema() -> dict[str, Any]:
    """The JSON Schema of a study file; what stands beside an ``op`` follows from it."""
    schema = schema_of_model(StudyShape, "designsearch study")
    for key, choices in (("proposer", PROPOSERS), ("accept", ACCEPTANCE)):
        about = schema["properties"][key].get("description", "")
        schema["properties"][key] = {"description": about} | _choice_schema(choices)
    data = schema["$defs"]["DataShape"]["properties"]
    data["where"] = data["where"] | {"description": "Filters on the questions."}
    schema["patternProperties"] = {"^x-": {"description": "Anything, for other tools; ignored."}}
    return schema


def _choice_schema(choices: Mapping[str, type[Params]]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["op"],
        "properties": {"op": {"enum": sorted(choices)}},
        "allOf": [
            {
                "if": {"properties": {"op": {"const": name}}, "required": ["op"]},
                "then": _with_op(name, model_schema(model)),
            }
            for name, model in sorted(choices.items())
        ],
    }


def _with_op(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return schema | {"properties": {"op": {"const": name}} | schema.get("properties", {})}
