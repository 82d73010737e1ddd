"""A design's text for another folder: the files that it names are the same ones, seen from there."""

from __future__ import annotations

import os
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.file_digest import file_named
from designsearch.dsl.needs import stages_of
from designsearch.dsl.operators import Registry
from designsearch.dsl.validate import load_design


def named_files(design: Design) -> list[Path]:
    """The files and folders that the stages of a design name, each once, as found from its folder."""
    return [path for path, digest in named_contents(design).items() if digest is not None]


def named_contents(design: Design) -> dict[Path, str | None]:
    """What the files and folders held that the stages of a design name, when its identity was taken.

    Returns:
        The digest of each by where it is found; ``None`` for one that was not there.
    """
    return {
        _found(design, written): dict(stage.contents).get(name)
        for _, stage in stages_of(design)
        for name, written in stage.params.files().items()
    }


def relocated(design: Design, folder: Path, text: str | None = None) -> str:
    """The text of a design as it means the same in another folder; paths that begin with ``/`` or ``~`` stay.

    Args:
        design: with the folder that its paths are seen from.
        folder: where the text will be.
        text: the design's text where it has been changed meanwhile, elsewhere than at stages.
    """
    made = design.text if text is None else text
    for place, stage in stages_of(design):
        for name, written in stage.params.files().items():
            if not (written.startswith("~") or Path(written).is_absolute()):
                seen = _seen(_found(design, written), folder)
                made = apply(made, Edit("set", (*place, name), seen))
    return made


def moved(design: Design, folder: Path, registry: Registry) -> Design:
    """A design as if its file had been written to another folder, which need not be there yet.

    Raises:
        InvalidFileError: a file that it names is no longer there.
    """
    return load_design(relocated(design, folder), design.file, registry, folder)


def _found(design: Design, written: str) -> Path:
    return file_named(written, design.base_dir)


def _seen(file: Path, folder: Path) -> str:
    try:
        seen = Path(os.path.relpath(file, folder.resolve())).as_posix()
    except ValueError:  # another drive
        return str(file)
    return seen if seen.startswith(".") else f"./{seen}"  # a name without a folder may be that of something else
