from __future__ import annotations

import base64
import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.body import OddBodyError
from designsearch.runtime.models.exchange.vectors import read_vectors


def test_vectors_stand_in_the_order_of_the_texts():
    body = {"data": [{"index": 1, "embedding": [2, 3.5]}, {"index": 0, "embedding": [0, 1]}]}
    assert read_vectors(body, 2) == [[0.0, 1.0], [2.0, 3.5]]
    assert read_vectors({"data": [{"embedding": [1]}, {"embedding": [2]}]}, 2) == [[1.0], [2.0]]


def test_packed_vectors_are_read():
    packed = base64.b64encode(struct.pack("<2f", 0.5, -2.0)).decode()
    assert read_vectors({"data": [{"index": 0, "embedding": packed}]}, 1) == [[0.5, -2.0]]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "a body without vectors"),
        ([{"embedding": [1.0]}], "1 vectors where 2 were asked for"),
        ([{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}], "vectors of different lengths"),
        ([{"embedding": []}, {"embedding": []}], "a body without vectors"),
        (
            [{"embedding": [1.0]}, {"embedding": [float("nan")]}],
            "a vector with something in it that is no finite number",
        ),
        ([{"embedding": [1.0]}, {"embedding": [10**400]}], "a vector with something in it that is no finite number"),
        ([{"embedding": [1.0]}, {"embedding": [1e39]}], "a vector with something in it that is no finite number"),
        ([{"embedding": [1.0]}, {"embedding": ["x"]}], "a vector with something in it that is no finite number"),
        ([{"embedding": "*"}, {"embedding": "*"}], "a vector that is no list of numbers"),
    ],
)
def test_what_is_no_vector_is_odd(data, why):
    with pytest.raises(OddBodyError) as caught:
        read_vectors({"data": data}, 2)
    assert str(caught.value) == why


@given(
    st.recursive(
        st.none() | st.integers(-1, 2) | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["data", "index", "embedding"]), inner)
        ),
    )
)
def test_any_body_is_read_or_odd(body):
    with suppress(OddBodyError):
        read_vectors(body, 1)
    with suppress(OddBodyError):
        read_vectors({"data": [body]}, 1)
