import io

import pytest

from designsearch.search.training.data.parquet import parquet_of
from designsearch.search.training.extra import INSTALL


def test_what_is_written_is_read_again():
    parquet = pytest.importorskip("pyarrow.parquet", reason=f"needs {INSTALL}")
    rows = [{"messages": [{"role": "user", "content": "ferry"}]}, {"messages": []}]
    assert parquet.read_table(io.BytesIO(parquet_of(rows))).to_pylist() == rows
