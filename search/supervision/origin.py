"""What generated questions depend on; they are gone on with only where nothing of it has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from designsearch.dsl.design import digest
from designsearch.runtime.records import History
from designsearch.search.supervision.cast import Cast
from designsearch.search.supervision.settings import SupervisionSettings

VERSION = 1


def given(history: History, settings: SupervisionSettings, shares: Mapping[str, float]) -> dict[str, Any]:
    """What a user gives for a generation: the part of its manifest that no role has a say in."""
    values = settings.model_dump(mode="json")
    return {
        "history": history.name,
        **{f"settings.{key}": value for key, value in values.items()},
        "parts": ", ".join(f"{part} {share:g}" for part, share in shares.items()),
        "fingerprint": history.fingerprint,
    }


def origin(
    history: History, settings: SupervisionSettings, shares: Mapping[str, float], cast: Cast, official: Sequence[str]
) -> dict[str, Any]:
    """The manifest of a generation as it is asked for now."""
    return {
        "manifest": VERSION,
        **given(history, settings, shares),
        "code": f"designsearch {_version()}",
        "fingerprints": {
            "official questions": digest(list(official)),
            "generator": cast.generator.fingerprint,
            **cast.fingerprints,
        },
    }


def _version() -> str:
    try:
        return metadata.version("designsearch")
    except metadata.PackageNotFoundError:
        return "unknown"
