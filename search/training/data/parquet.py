"""Rows as parquet, for loaders that read nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast


def parquet_of(rows: Sequence[dict[str, Any]]) -> bytes:
    """The content of a parquet file.

    Args:
        rows: with the same columns and types each; at least one.
    """
    import pyarrow as pa
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(rows), sink)
    return cast("bytes", sink.getvalue().to_pybytes())
