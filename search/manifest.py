"""What a study's results depend on; a run goes on only where nothing of it has changed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any

from designsearch.dsl.design import Design, digest
from designsearch.dsl.operators import Operator, Registry
from designsearch.dsl.problems import CannotContinueError
from designsearch.search.contracts import Evaluator
from designsearch.search.differences import differences
from designsearch.search.kept_files import write_json, write_text
from designsearch.search.plain import plain
from designsearch.search.run_folder import RunFolder, read_manifest
from designsearch.search.study_choices import LlmOptions, MixedOptions, SamplerOptions
from designsearch.search.study_file import StudyFile

VERSION = 1
_DATABASE = "database"
_SAMPLERS = {"tpe": "TPESampler", "random": "RandomSampler"}


def build_manifest(study: StudyFile, base: Design, evaluator: Evaluator, registry: Registry) -> dict[str, Any]:
    """The manifest of a study as its file describes it now."""
    shape = study.shape
    return {
        "manifest": VERSION,
        "study": study.name,
        "direction": "maximize",
        "objective": shape.objective,
        "seed": shape.seed,
        "context_budget": shape.context_budget,
        "history_view": shape.history_view,
        "split": shape.split.model_dump(mode="json"),
        "proposer": study.proposer.canonical(),
        "accept": study.accept.canonical(),
        "base": base.hash,
        "code": f"designsearch {_version('designsearch')}",
        "sampler": f"optuna {_version('optuna')}{sampler_of(study)}",
        "storage": study.journal.name if study.journal is not None else _DATABASE,
        "fingerprints": dict(evaluator.fingerprints),
        "search_space": {f"{op.slot}.{op.name}": _space(op) for op in registry},
    }


def sampler_of(study: StudyFile) -> str:
    """The class of Optuna that draws parameters in a study, after a blank; empty where none does."""
    options = study.proposer.options
    if isinstance(options, LlmOptions) or (
        isinstance(options, MixedOptions) and {"sampler", "llm"} & set(options.chosen(llm=False))
    ):
        options = SamplerOptions()  # also of the numbers that a model leaves open
    return f" {_SAMPLERS[options.sampler]}" if isinstance(options, SamplerOptions) else ""


def check_manifest(folder: RunFolder, manifest: Mapping[str, Any]) -> bool:
    """Check that a run may go on.

    Returns:
        Whether the run had begun before.

    Raises:
        CannotContinueError: something that results depend on has changed; all of it is named.
    """
    now = plain(manifest)
    known = read_manifest(folder)
    if known is None:
        return False
    changed = differences(known, now)
    if changed:
        raise CannotContinueError(
            f"{folder.root}: this run cannot go on, as its results would not be comparable:\n"
            + "\n".join(f"  {line}" for line in changed)
            + "\nput it back as it was, or start a run of its own with --fork NAME"
        )
    return True


def write_manifest(folder: RunFolder, manifest: Mapping[str, Any], study: StudyFile) -> None:
    """Begin a run folder; the manifest comes last, as with it the run has begun."""
    write_text(folder.study_copy, study.text)
    if study.journal is None:
        write_text(folder.database, study.storage + "\n")
    write_json(folder.manifest, manifest)


def _space(op: Operator) -> dict[str, Any]:
    """What a search may do with each parameter, and its default."""
    schema = op.params.model_json_schema()
    return {
        name: digest({k: v for k, v in field.items() if k != "description"})
        if not field.get("tune")
        else {k: field.get(k) for k in ("tune", "enum", "default") if field.get(k) is not None}
        for name, field in schema.get("properties", {}).items()
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"
