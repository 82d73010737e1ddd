"""A model that searches and reads the raw records until it can name those that answer."""

from __future__ import annotations

from designsearch.dsl.operators import ModelWork, Params, Tune, operator, param
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.agent.exploration import Exploration
from designsearch.runtime.operators.agent.library import Library
from designsearch.runtime.record_index import RecordIndex
from designsearch.runtime.records import Queries, Ranked, Rankings


class AgentParams(Params):
    """Parameters of ``agent``."""

    max_steps: int = param(6, ge=1, le=50, about="calls of the model for a question at most", tune=Tune(2, 10))
    k: int = param(10, ge=1, le=50, about="how many records a search shows", tune=Tune(5, 20))
    read: int = param(
        800, ge=50, le=20_000, about="tokens that are shown when a record is read", tune=Tune(200, 2000, log=True)
    )
    store: str | None = param(None, about="which store's units the records become; the first where none is named")

    def model_work(self) -> ModelWork:
        """A request a step; each shows again what the ones before it found."""
        return ModelWork(requests=self.max_steps, shown=self.k * (self.max_steps + 1) // 2)


@operator("agent", "branch", AgentParams, scale="unscaled", needs_model=True)
def agent(params: AgentParams, queries: Queries, m: Memory) -> Rankings:
    """Let the helper look for the records that answer, with tools, as an agent over a folder of files does.

    It begins with what BM25 over the records finds for the question, then calls one tool at a time: ``search`` (BM25
    over the records), ``read`` (a record with those beside it in its session) or ``answer`` (the numbers of the
    records that are needed), which ends; in the last of ``max_steps`` calls only ``answer`` is left.

    The ranking: the records named, in that order; those read; those that the last search found; the others seen. Each
    brings the units of the store that show it; the score is 1 / rank. Where the model fails, what was found so far is
    ranked, and behind it what BM25 finds for the question.
    """
    library = Library(m)
    explorations = [
        Exploration(question, int(as_of), library, params.max_steps, params.k, params.read)
        for question, as_of in zip(queries.questions, queries.as_of, strict=True)
    ]
    running = [e for e, question in zip(explorations, queries.questions, strict=True) if question.strip()]
    for step in range(params.max_steps):
        left = params.max_steps - step
        replies = ask_helper(m.services, [e.request(left) for e in running])
        for exploration, reply in zip(running, replies, strict=True):
            exploration.take(reply, left - 1)
        running = [e for e in running if not e.done]
    units = RecordIndex(m.history, [m.store(params.store)])
    rows: list[Ranked] = []
    for exploration in explorations:
        ids = units.units_of_rows(exploration.ranked())
        rows.append((ids, [1.0 / rank for rank in range(1, len(ids) + 1)]))
    return Rankings.of(rows)
