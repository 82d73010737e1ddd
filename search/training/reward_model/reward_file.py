"""The file of a categorical reward model: JSON that people can read, a line a row of weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType
from designsearch.runtime.exact_json import read_exact_json
from designsearch.runtime.records import FloatArray
from designsearch.search.training.reward_model.categorical_reward import BINS, CategoricalReward, Head
from designsearch.search.training.reward_model.step_features import feature_names

FORMAT = "designsearch reward model 1"

DIGITS = 6
"""Decimal places of the figures in a file."""

_REMEDY = "designsearch policy pairs writes one"


def reward_text(model: CategoricalReward) -> str:
    """The text of a model's file."""
    heads = ",\n".join(f"  {json.dumps(kind)}: {_head_text(kind, head)}" for kind, head in model.heads.items())
    bins = json.dumps([list(pair) for pair in BINS])
    return f'{{\n"format": {json.dumps(FORMAT)},\n"bins": {bins},\n"heads": {{\n{heads}\n}}\n}}\n'


def _head_text(kind: ActionType, head: Head) -> str:
    rows = ",\n      ".join(_figures(row) for row in head.weights)
    parts = {
        "features": json.dumps(list(feature_names(kind))),
        "mean": _figures(head.mean),
        "scale": _figures(head.scale),
        "weights": f"[\n      {rows}\n    ]",
    }
    return "{\n" + ",\n".join(f"    {json.dumps(name)}: {part}" for name, part in parts.items()) + "\n  }"


def _figures(array: FloatArray) -> str:
    return json.dumps([round(value, DIGITS) for value in array.tolist()])


def load_reward(path: Path) -> CategoricalReward:
    """The model of a file.

    Raises:
        UserError: it cannot be read, or it holds no such model, one of other features, or a key twice.
    """
    try:
        read = read_exact_json(path)
    except InvalidFileError:
        raise UserError(f"{path}: is no reward model: it is not JSON; {_REMEDY}") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise UserError(f"{path}: is no reward model: its format is not {FORMAT!r}; {_REMEDY}")
    if read.get("bins") != [list(pair) for pair in BINS]:
        raise UserError(f"{path}: bins: are not those that this version knows; train the model again")
    heads = read.get("heads")
    given = heads if isinstance(heads, dict) else {}
    return CategoricalReward({kind: _head(path, kind, given.get(kind)) for kind in ACTION_TYPES})


def _head(path: Path, kind: ActionType, read: Any) -> Head:
    names = feature_names(kind)
    given = read if isinstance(read, dict) else {}
    if given.get("features") != list(names):
        raise UserError(
            f"{path}: heads.{kind}.features: are not those that this version measures; train the model again"
        )
    shapes = {"mean": (len(names),), "scale": (len(names),), "weights": (len(BINS), len(names) + 1)}
    arrays = {name: _array(f"{path}: heads.{kind}.{name}", given.get(name), shape) for name, shape in shapes.items()}
    if not (arrays["scale"] > 0).all():
        raise UserError(f"{path}: heads.{kind}.scale: holds a number that is not above 0")
    return Head(**arrays)


def _array(place: str, read: Any, shape: tuple[int, ...]) -> FloatArray:
    try:
        array = np.array(read, np.float64)
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.shape != shape or not np.isfinite(array).all():
        raise UserError(f"{place}: is not {' x '.join(map(str, shape))} numbers")
    return array
