"""What a study's results depend on; a run goes on only where nothing of it has changed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any

from designsearch.dsl.design import Design, digest
from designsearch.dsl.operators import Operator, Registry
from designsearch.dsl.problems import CannotContinueError
from designsearch.search.contracts import Evaluator
from designsearch.search.plain import plain
from designsearch.search.run_folder import RunFolder, read_manifest, write_json, write_text
from designsearch.search.study_choices import LlmOptions, MixedOptions, SamplerOptions
from designsearch.search.study_file import StudyFile

VERSION = 1
_DATABASE = "database"
_SAMPLERS = {"tpe": "TPESampler", "random": "RandomSampler"}
_MOST = 8
"""Changed operators that a refusal names."""


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


def differences(known: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What has changed, one line each."""
    lines = []
    for key in dict.fromkeys([*known, *now]):
        if key in ("fingerprints", "search_space", "storage", "sampler"):
            continue
        if known.get(key) != now.get(key):
            lines.append(f"{key}: was {_shown(known.get(key))}, is {_shown(now.get(key))}")
    old, new = known.get("fingerprints", {}), now.get("fingerprints", {})
    lines += [f"{k}: has changed ({old.get(k)} -> {new.get(k)})" for k in {**old, **new} if old.get(k) != new.get(k)]
    return lines + _space_differences(known.get("search_space", {}), now.get("search_space", {}))


def _space_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    changed = [name for name in sorted({**old, **new}) if old.get(name) != new.get(name)]
    lines = []
    for name in changed[:_MOST]:
        if name not in old or name not in new:
            lines.append(f"search space: operator {name} is {'new' if name in new else 'gone'}")
            continue
        for parameter in sorted({**old[name], **new[name]}):
            was, now = old[name].get(parameter), new[name].get(parameter)
            if was != now:
                lines.append(f"search space: {name}.{parameter}: was {_shown(was)}, is {_shown(now)}")
    if len(changed) > _MOST:
        lines.append(f"search space: and {len(changed) - _MOST} operators more")
    return lines


def _space(op: Operator) -> dict[str, Any]:
    """What a search may do with each parameter, and its default."""
    schema = op.params.model_json_schema()
    return {
        name: digest({k: v for k, v in field.items() if k != "description"})
        if not field.get("tune")
        else {k: field.get(k) for k in ("tune", "enum", "default") if field.get(k) is not None}
        for name, field in schema.get("properties", {}).items()
    }


def _shown(value: Any) -> str:
    return "not there" if value is None else str(value)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"
