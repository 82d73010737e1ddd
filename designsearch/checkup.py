"""What the program needs on a machine, checked one by one."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

State = Literal["ok", "note", "missing"]

COMPILED = "hnswlib"
"""The one dependency that is built from source where no wheel exists."""

BUNDLED = ("weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json")
"""Files of the embedder and token counter, inside the wordllama package."""

COMPILER_FIX = "apt-get install g++ python3-dev (or your system's name for them)"

ENOUGH_BYTES = 1_000_000_000


class Check(NamedTuple):
    """One thing looked at.

    Attributes:
        what: the thing.
        state: ``ok``; ``note`` for what the program can do without; ``missing``.
        found: what was found.
        fix: the command or the step that puts it right; empty where nothing is to be done.
    """

    what: str
    state: State
    found: str
    fix: str = ""


def check_all() -> list[Check]:
    """Every check, in order."""
    return [
        _python(),
        *_packages(),
        *_extras(),
        _compiler(),
        *_bundled(),
        *_schemas(),
        _cache(),
        _space(),
        _encoding(),
    ]


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= sys.version_info[:2] < (3, 14):
        return Check("python", "ok", version)
    return Check("python", "missing", f"{version}, and 3.11, 3.12 or 3.13 is needed", "install one of these versions")


def _packages() -> Iterator[Check]:
    """The dependencies that the installed package names for itself."""
    try:
        wanted = [line for line in metadata.requires("designsearch") or [] if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        yield Check("designsearch", "missing", "it runs from a folder, not installed", _pip("-e ."))
        return
    broken = []
    for line in wanted:
        requirement = line.partition(";")[0].strip()
        name = _name_of(requirement)
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            broken.append(requirement)
            yield Check(name, "missing", "not installed", _pip(f"'{requirement}'"))
            continue
        if not _fits(version, requirement):
            broken.append(requirement)
            yield Check(name, "missing", f"{version}, and {requirement} is needed", _pip(f"'{requirement}'"))
    if not broken:
        yield Check("packages", "ok", f"all {len(wanted)} that designsearch {metadata.version('designsearch')} needs")


def _extras() -> Iterator[Check]:
    """What some commands can use and none needs."""
    from designsearch.runtime.models.serving import extras

    if not extras.installed(extras.LOCAL_LIBRARY):
        found = f"{extras.LOCAL_LIBRARY} is not installed; only model: local needs it"
        yield Check("local model", "note", found, extras.LOCAL_INSTALL)
    elif (file := extras.bundled_model()) is None:
        found = f"{extras.LOCAL_LIBRARY}, without the bundled model; model: local needs a file of its own"
        yield Check("local model", "note", found, extras.BUNDLE_INSTALL)
    else:
        found = f"{extras.LOCAL_LIBRARY}, {file.name}, {file.stat().st_size / 1e6:.0f} MB"
        yield Check("local model", "ok", found)
    if not extras.installed(extras.SENTENCES_LIBRARY):
        found = "not installed; only an embedder of that library needs it"
        yield Check("sentence-transformers", "note", found, extras.SENTENCES_INSTALL)
    else:
        yield Check("sentence-transformers", "ok", metadata.version("sentence-transformers"))
    if find_spec("psycopg2") is None and find_spec("psycopg") is None:
        yield Check("postgresql driver", "note", "not installed; only storage: postgresql://... needs one")


def _compiler() -> Check:
    """A compiler and Python's headers, until the dependency that needs them is built."""
    found = next((name for name in ("c++", "g++", "clang++") if shutil.which(name)), None)
    headers = (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file()
    if found and headers:
        return Check("C++ compiler", "ok", f"{found}, with Python's headers")
    lacking = "no compiler" if not found else "no headers of Python"
    if find_spec(COMPILED) is not None:
        return Check("C++ compiler", "ok", f"{lacking}, and none needed: {COMPILED} is built already")
    return Check("C++ compiler", "missing", f"{lacking}, and {COMPILED} has to be built", COMPILER_FIX)


def _bundled() -> Iterator[Check]:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        yield Check("bundled model", "missing", "wordllama is not installed", _pip("wordllama==0.4.0.post1"))
        return
    files = [Path(spec.origin).parent / name for name in BUNDLED]
    lacking = [file.name for file in files if not file.is_file()]
    if lacking:
        fix = _pip("--force-reinstall --no-deps wordllama==0.4.0.post1")
        yield Check("bundled model", "missing", f"without {', '.join(lacking)}", fix)
        return
    size = sum(file.stat().st_size for file in files)
    yield Check("bundled model", "ok", f"wordllama, {size / 1e6:.0f} MB; embeds texts and counts tokens, no network")


def _schemas() -> Iterator[Check]:
    from designsearch import dsl

    folder = Path(str(dsl.__file__)).parent
    lacking = [n for n in ("design.schema.json", "study.schema.json") if not (folder / n).is_file()]
    if lacking:
        yield Check("schemas for editors", "note", f"without {', '.join(lacking)}", "python -m designsearch.generate")


def _cache() -> Check:
    from designsearch.runtime.cache import default_folder

    folder = default_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            return Check("cache folder", "ok", f"{folder} can be written")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        fix = "export DESIGNSEARCH_CACHE=FOLDER that can be written"
        return Check("cache folder", "note", f"{folder} cannot be written ({reason}); work is slower without", fix)


def _space() -> Check:
    free = shutil.disk_usage(Path.cwd()).free
    if free >= ENOUGH_BYTES:
        return Check("disk space here", "ok", f"{free / 1e9:.0f} GB free")
    return Check("disk space here", "note", f"only {free / 1e6:.0f} MB free", "a study keeps results: make room first")


def _encoding() -> Check:
    encoding = (sys.stdout.encoding or "none").lower()
    if encoding.replace("-", "").startswith("utf"):
        return Check("terminal encoding", "ok", encoding)
    found = f"{encoding}: characters that it lacks are shown as \\u escapes"
    return Check("terminal encoding", "note", found, "export PYTHONUTF8=1")


def _pip(what: str) -> str:
    prefix = "HNSWLIB_NO_NATIVE=1 " if COMPILED in what and os.name == "posix" else ""
    return f"{prefix}{sys.executable} -m pip install {what}"


def _name_of(requirement: str) -> str:
    end = next((i for i, c in enumerate(requirement) if not (c.isalnum() or c in "-_.")), len(requirement))
    return requirement[:end]


def _fits(version: str, requirement: str) -> bool:
    """Whether a version meets a requirement, as far as can be said without the packaging library."""
    try:
        from packaging.requirements import Requirement
    except ModuleNotFoundError:
        return True
    return Requirement(requirement).specifier.contains(version, prereleases=True)
