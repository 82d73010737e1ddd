"""Questions that a bundle leaves open though it well could answer them, by a model."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply
from designsearch.search.supervision.asking import ask, failed, fingerprint_of
from designsearch.search.supervision.checks import Checks, checked
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.model_direct import ANSWER_TYPE
from designsearch.search.supervision.numbered import Numbered
from designsearch.search.supervision.plans import Plan

UNANSWERABLE = "supervise/unanswerable"

_TEXT = {"type": "string"}

SCHEMA = object_of(intent=_TEXT, missing=_TEXT, answer_type=ANSWER_TYPE, question=_TEXT)


class UnanswerableGenerator:
    """A question to which the right answer is that it is not known; see :class:`~.contracts.Generator`.

    That the rest of the history leaves it open too is for the verification to find out.

    Args:
        model: the planner.
        checks: of plans and questions.
    """

    name = "unanswerable"

    def __init__(self, model: Model, checks: Checks) -> None:
        self._model = model
        self._checks = checks

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [UNANSWERABLE])

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; one request a bundle."""
        requests = [prompted(UNANSWERABLE, SCHEMA, records=Numbered(one.sources).texts) for one in materials]
        return [self._draft(*pair) for pair in zip(materials, ask(self._model, requests), strict=True)]

    def _draft(self, material: Material, reply: Reply) -> Draft | Rejection:
        if not reply.ok:
            return failed("question", reply)
        said = reply.value
        plan = Plan(said["intent"], said["answer_type"], None, kind=self.name, answerable=False)
        return checked(Draft(material, plan, said["question"].strip()), self._checks)
