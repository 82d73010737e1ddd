"""The questions that a unit answers, by a model."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.operators.storage.unit_texts import shown, written_view
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/questions"


class QuestionsParams(Params):
    """Parameters of ``questions``."""

    count: int = param(5, ge=1, le=50, about="the most questions of a unit", tune=Tune(2, 10))
    own: bool = param(False, about="whether the unit's own text stands before them", tune=True)


@operator("questions", "view", QuestionsParams, needs_model=True)
def questions(params: QuestionsParams, units: Units, history: History, services: Services) -> list[str]:
    """Questions that each unit answers, one a line; its own text where there are none or the request failed.

    The idea of doc2query (Nogueira et al. 2019): a question is more like another question than like its answer.
    """
    texts = shown(units, history)
    # twice as many are let pass, so that one too many does not cost the others
    schema = object_of(questions={"type": "array", "items": {"type": "string"}, "maxItems": 2 * params.count})

    def read(u: int, reply: Reply) -> str:
        found = list(dict.fromkeys(q for q in map(str.strip, reply.value["questions"][: params.count]) if q))
        return JOIN.join([units.texts[u], *found] if params.own else found)

    return written_view(units, services, lambda u: prompted(PROMPT, schema, text=texts[u], count=params.count), read)
