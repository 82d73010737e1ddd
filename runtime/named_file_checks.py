"""Whether a design could run with the files that it names, for whoever checks it without running it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from designsearch.dsl.design import RAW, Design
from designsearch.dsl.file_digest import file_named
from designsearch.dsl.needs import stages_of
from designsearch.dsl.operators import Params
from designsearch.dsl.problems import InvalidFileError, Problem, UserError
from designsearch.dsl.source import scan
from designsearch.runtime.operators.policy.policy import PolicyParams
from designsearch.runtime.operators.refine.cross_encoder import check_folder
from designsearch.runtime.operators.refine.rerank import RerankParams
from designsearch.runtime.policies.sight import check_views
from designsearch.runtime.policies.weights import Weights, load_weights


def named_file_problems(design: Design) -> list[Problem]:
    """One problem a file or folder that a stage cannot use, in the words in which running the design would tell it.

    Weights of learned policies are read and compared with the views of the design; a folder with a cross-encoder is
    looked at, and the model not loaded.
    """
    source = scan(design.text, design.file)
    return [
        source.problem((*path, name), _said(error))
        for path, stage in stages_of(design)
        for name, error in _refused(stage.params, design)
    ]


def check_named_files(design: Design) -> None:
    """Make sure that a design can run with the files that it names.

    Raises:
        InvalidFileError: with every one that it cannot use.
    """
    if problems := named_file_problems(design):
        raise InvalidFileError(problems)


def _refused(params: Params, design: Design) -> Iterator[tuple[str, UserError]]:
    """The parameters of a stage that name what it cannot use, each with why."""
    try:
        if isinstance(params, PolicyParams) and (file := params.weights_file(design)):
            usable_weights(file, design)
    except UserError as error:
        yield "weights", error
    try:
        if isinstance(params, RerankParams) and (folder := params.files().get("model")):
            check_folder(folder, file_named(folder, design.base_dir).resolve())
    except UserError as error:
        yield "model", error


def usable_weights(file: Path, design: Design) -> Weights:
    """The weights of a learned policy, which read no view that the design lacks.

    Raises:
        UserError: they cannot be read, or read one that it lacks.
    """
    store, weights = next(iter(design.stores.values())), load_weights(file)
    try:
        check_views(weights.features, [RAW, *store.units.operator.views, *store.views])
    except UserError as error:
        raise UserError(f"{file}: {error}") from None
    return weights


def _said(error: UserError) -> str:
    """One line, also where a file's own line would be shown with a caret."""
    if isinstance(error, InvalidFileError):
        return "; ".join(problem.headline() for problem in error.problems)
    return str(error)
