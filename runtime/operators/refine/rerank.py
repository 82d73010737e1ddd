"""Order candidates by how well each answers the question, as a model reads them together."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator

from designsearch.dsl.operators import ModelWork, Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.settings import is_folder
from designsearch.runtime.operators.refine.candidate_texts import Candidate, candidate_texts
from designsearch.runtime.operators.refine.cross_encoder import probabilities
from designsearch.runtime.operators.refine.grades import grades
from designsearch.runtime.records import FloatArray, Queries, Rankings


class RerankParams(Params):
    """Parameters of ``rerank``."""

    paths: ClassVar[tuple[str, ...]] = ("model",)

    k: int = param(
        100, ge=1, le=2000, about="how many candidates are read; the others stay behind", tune=Tune(20, 200, log=True)
    )
    by: Literal["helper", "cross_encoder"] = param("helper", about="who reads: the study's helper, or a cross-encoder")
    model: str | None = param(
        None, about="cross_encoder: its name at the hub, or ./FOLDER on this machine, seen from the design's file"
    )
    batch: int = param(10, ge=1, le=50, about="helper: how many candidates are graded in one call")
    tokens: int = param(256, ge=16, le=8192, about="how many tokens of a candidate are read")
    view: str = param("raw", about="which text of a candidate is read", tune=True)

    @model_validator(mode="after")
    def _model_fits(self) -> RerankParams:
        if self.by == "cross_encoder" and not self.model:
            raise ValueError("by: cross_encoder needs the cross-encoder's name: add model: NAME or model: ./FOLDER")
        if self.by == "helper" and self.model is not None:
            raise ValueError("model names a cross-encoder: add by: cross_encoder, or leave model out")
        return self

    def files(self) -> dict[str, str]:
        """A model at the hub is no file."""
        return super().files() if self.model is not None and is_folder(self.model) else {}

    def calls_model(self) -> bool:
        """A cross-encoder needs no helper."""
        return self.by == "helper"

    def model_work(self) -> ModelWork:
        """A request for each batch of candidates."""
        return ModelWork(requests=-(-self.k // self.batch), shown=min(self.k, self.batch))


@operator("rerank", "refine", RerankParams, scale="scaled", needs_model=True)
def rerank(params: RerankParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Order the first ``k`` candidates by a model that reads question and candidate together; scores in [0, 1].

    ``helper`` grades them from 0 to 10, ``batch`` at a time and each by itself (pointwise grades in a listwise prompt,
    Sun et al. 2023; Zhuang et al. 2024); the score is grade / 10. ``cross_encoder`` gives the sigmoid of its logit
    (Nogueira and Cho 2019). Equal scores keep the incoming order.

    A candidate without a grade (behind the first ``k``, in a batch that failed, or left out of a reply) keeps its
    place in the ranking and takes the score of the one before it, 1 at the top: no failure loses a candidate.
    """
    reading = [(q, question) for q, question in enumerate(queries.questions) if question.strip()]
    ids = {q: ranking.of_question(q)[0][: params.k].tolist() for q, _ in reading}
    texts = candidate_texts([unit for own in ids.values() for unit in own], params.view, params.tokens, m)
    candidates = [Candidate(q, texts[unit]) for q, _ in reading for unit in ids[q]]
    if params.by == "helper":
        given = grades(candidates, params.batch, queries, m)
    else:
        given = probabilities(candidates, params.model or "", queries, m)
    read = np.zeros(len(ranking.ids), bool)
    for q, own in ids.items():
        read[ranking.offsets[q] : ranking.offsets[q] + len(own)] = True
    values = np.full(len(ranking.ids), np.nan)
    values[read] = given
    return _reordered(ranking, values)


def _reordered(ranking: Rankings, values: FloatArray) -> Rankings:
    """Entries by falling value; those without one (NaN) stay where they are with the score of the one before."""
    order = np.arange(len(values))
    graded = np.flatnonzero(~np.isnan(values))
    # within each question: stable, so that equal grades keep the incoming order
    order[graded] = graded[np.lexsort((-values[graded], ranking.owners[graded]))]
    scores = values[order]
    for q in range(len(ranking)):
        last = 1.0
        for i in range(int(ranking.offsets[q]), int(ranking.offsets[q + 1])):
            last = scores[i] = last if np.isnan(scores[i]) else scores[i]
    return Rankings(ranking.offsets, ranking.ids[order], scores)
