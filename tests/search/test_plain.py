import json
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from designsearch.search.plain import LONGEST, attribute, plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([1.0, np.nan]), [1.0, None]),
        (float("nan"), None),
        (float("-inf"), None),
        (datetime(2024, 3, 1, 9, 30, tzinfo=UTC), "2024-03-01T09:30:00+00:00"),
        (date(2024, 3, 1), "2024-03-01"),
        ({3: 0.5, (1, 2): "x"}, {"3": 0.5, "(1, 2)": "x"}),
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (Path("a/b"), "a/b"),
        (None, None),
        (True, True),
    ],
)
def test_values_become_plain_json(value, expected):
    result = plain(value)
    assert result == expected
    assert type(result) is type(expected)
    assert json.loads(json.dumps(result, allow_nan=False)) == expected


def test_what_has_no_plain_form_is_named():
    with pytest.raises(TypeError, match="object has no plain form"):
        plain({"a": [object()]})


def test_a_long_text_is_cut_to_an_attribute():
    cut = attribute("x" * 300_000)
    assert len(cut) == LONGEST
    assert cut.endswith("...")
    assert attribute("short") == "short"
