"""One record, one memory."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import NameSet, Params, operator, param
from designsearch.runtime.operators.storage.spans import speaks, whole_records
from designsearch.runtime.records import History, Units


class RecordsParams(Params):
    """Parameters of ``records``."""

    sources: NameSet | None = param(None, about="only records of these sources; all where not given")


@operator("records", "units", RecordsParams)
def records(params: RecordsParams, history: History) -> Units:
    """Each record is one unit: a message, an e-mail, a section of a document."""
    return whole_records(history, speaks(history, np.arange(len(history)), None, params.sources))
