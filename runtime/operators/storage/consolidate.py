"""Let a model decide what each new memory does to those that are like it."""

from __future__ import annotations

from designsearch.dsl.operators import ModelWork, Params, Tune, operator, param
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.runtime.operators.storage.consolidation import Consolidation, Decision, Near
from designsearch.runtime.record_messages import message
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/consolidate"
SCHEMA = object_of(
    action={"type": "string", "enum": ["add", "update", "delete", "none"]},
    target={"type": ["integer", "null"]},
    text={"type": "string"},
)


class ConsolidateParams(Params):
    """Parameters of ``consolidate``."""

    neighbors: int = param(5, ge=1, le=50, about="the most memories that a new one is compared with", tune=Tune(2, 10))
    threshold: float = param(
        0.4, ge=-1, le=1, about="cosine from which a memory is like a new one", tune=Tune(0.2, 0.95)
    )
    validity: bool = param(
        False, about="whether what was superseded stays, marked with the time until which it held", tune=True
    )

    def model_work(self) -> ModelWork:
        """A request a unit that is like others, with those."""
        return ModelWork(shown=1 + self.neighbors)


@operator("consolidate", "write", ConsolidateParams, needs_model=True, needs_services=True)
def consolidate(params: ConsolidateParams, units: Units, history: History, services: Services) -> Units:
    """Store units one after the other; a model says what each does to the stored ones nearest to it.

    It is added, rewrites one of them, supersedes one, or says nothing new. Rewritten and superseded texts are kept as
    earlier ones, and the sources of both stand behind what is left, the new one's first, whose time it then has. An
    answer that makes no sense, and a request that failed, add the unit: no source is ever lost. A unit without a
    neighbour is added without a request. As in Mem0 (Chhikara et al. 2025).

    Units that surely do not meet are asked about together. Each reply is used only where the neighbours are still those
    that were asked about, so that the result is that of one unit after the other.
    """
    state = Consolidation(units, history, services, params.neighbors, params.threshold, params.validity)
    while state.pending:
        wave = state.wave()
        asked = [near for near in wave if near.memories]
        replies = iter(ask_helper(services, [_request(near, units, state, history) for near in asked]))
        for near in wave:
            decision = None
            if near.memories:
                reply = next(replies)
                decision = _decision(reply.value, near) if reply.ok else None
            if near is not wave[0] and not state.still(near):
                break
            state.store(near, decision)
    return state.units()


def _request(near: Near, units: Units, state: Consolidation, history: History) -> Request:
    memories = [message(history, state.first_record(memory), state.text(memory)) for memory in near.memories]
    new = message(history, int(units.first[near.unit]), units.texts[near.unit])
    return prompted(PROMPT, SCHEMA, new=new, memories=memories)


def _decision(value: dict[str, object], near: Near) -> Decision | None:
    """What a reply asks for; ``None`` where the unit is to be added, or the reply makes no sense."""
    action, target, text = value["action"], value["target"], str(value["text"]).strip()
    if action == "add" or not isinstance(target, int) or not 1 <= target <= len(near.memories):
        return None
    if action == "update" and not text:
        return None
    return Decision(str(action), near.memories[target - 1], text)
