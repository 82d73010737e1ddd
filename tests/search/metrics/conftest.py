import numpy as np
import pytest

from designsearch.runtime.records import Column, History


def history_of(texts):
    """A history of records with those texts by id."""
    size = len(texts)
    empty = Column.of([""] * size)
    return History(
        name="test",
        ids=tuple(texts),
        texts=tuple(texts.values()),
        times=np.zeros(size, np.int64),
        time_texts=("",) * size,
        authors=empty,
        roles=empty,
        sessions=empty,
        sources=empty,
        sections=empty,
        scopes=empty,
        reply_to=("",) * size,
        refs={},
        meta={},
    )


@pytest.fixture(scope="session")
def make_history():
    return history_of
