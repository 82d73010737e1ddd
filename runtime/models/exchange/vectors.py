"""The vectors in a server's body."""

from __future__ import annotations

import base64
import binascii
from array import array
from collections.abc import Mapping
from typing import Any

from designsearch.runtime.models.exchange.body import OddBodyError

LARGEST = 1e30
"""Beyond it a number is no part of a vector: its square is more than doubles hold where there are many."""


def read_vectors(body: Any, count: int) -> list[list[float]]:
    """One vector for each text, in the order of the texts.

    Raises:
        OddBodyError: there are not as many, or they are no vectors of one length.
    """
    data = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(data, list) or not all(isinstance(item, Mapping) for item in data):
        raise OddBodyError("a body without vectors")
    if len(data) != count:
        raise OddBodyError(f"{len(data)} vectors where {count} {'was' if count == 1 else 'were'} asked for")
    places = [item.get("index") for item in data]
    if sorted(p for p in places if isinstance(p, int)) == list(range(count)):
        data = sorted(data, key=lambda item: item["index"])
    vectors = [_vector(item.get("embedding")) for item in data]
    if len({len(vector) for vector in vectors}) > 1:
        raise OddBodyError("vectors of different lengths")
    return vectors


def _vector(value: Any) -> list[float]:
    if isinstance(value, str):
        return _packed(value)
    if not isinstance(value, list) or not value:
        raise OddBodyError("a body without vectors")
    if not all(isinstance(x, int | float) and not isinstance(x, bool) and abs(x) <= LARGEST for x in value):
        raise OddBodyError("a vector with something in it that is no finite number")
    return [float(x) for x in value]


def _packed(value: str) -> list[float]:
    """A vector as base64 of 4-byte floats, which some servers send unasked."""
    try:
        numbers = array("f", base64.b64decode(value, validate=True))
    except (ValueError, binascii.Error):
        raise OddBodyError("a vector that is no list of numbers") from None
    return _vector(list(numbers))
