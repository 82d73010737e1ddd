"""All roles played by a model, from a history to a question that is kept."""

from __future__ import annotations

import json
from functools import partial

from model_fakes import ScriptedModel, quoted_in
from planned_move import PLAN_REPLY, QUESTION
from supervision_histories import make_history

from designsearch.search.supervision.cast import Cast
from designsearch.search.supervision.generate import generate_questions
from designsearch.search.supervision.models.generators import make_generator
from designsearch.search.supervision.models.reader import ModelReader
from designsearch.search.supervision.models.reviewer import ModelReviewer
from designsearch.search.supervision.settings import SupervisionSettings
from designsearch.search.supervision.verification.history_search import HistorySearch
from designsearch.search.supervision.verification.verify import verify
from designsearch.search.supervision.verification_settings import VerificationSettings

LEASE = "I finally signed the lease for the flat on Mill Lane!"
RENT = "The rent for Mill Lane is 1,250 euros a month, heating included."
OTHERS = (
    "We had soup again for lunch.",
    "The choir meets on Tuesdays in the old school.",
    "My bicycle needs a new chain before the summer.",
)


def history():
    rows = [{"text": text, "session": "s1", "author": "Ana"} for text in (LEASE, RENT)]
    rows += [{"text": text, "session": f"s{i}", "author": "Ben"} for i, text in enumerate(OTHERS, start=2)]
    return make_history(*(row | {"time": f"2024-03-0{i}"} for i, row in enumerate(rows, start=1)))


def numbers_of(request):
    """Of the lease and of the rent, as far as they are shown."""
    shown = [text.partition("\n")[2] for text in quoted_in(request, "record")]
    return [shown.index(text) + 1 for text in (LEASE, RENT) if text in shown]


def renumbered(reply, numbers):
    """A reply with the numbers that the records have in this request."""
    text = json.dumps(reply)
    for old, new in zip((1, 2), numbers, strict=True):
        text = text.replace(f'"record": {old}', f'"record": "{new}"')
    return json.loads(text, object_hook=lambda o: {k: int(v) if k == "record" else v for k, v in o.items()})


def script(request):
    numbers = numbers_of(request)
    both = len(numbers) == 2
    if request.purpose == "supervise/plan":
        nothing = {"intent": "", "facts": [], "evidence": [], "operations": [], "answer_type": "text", "answer": None}
        return renumbered(PLAN_REPLY, numbers) if both else nothing
    if request.purpose == "supervise/question":
        return {"question": QUESTION}
    if request.purpose == "supervise/audit":
        return {
            "reason": "",
            "answer_supported": True,
            "question_matches": True,
            "facts": [{"id": name, "supported": True} for name in ("f1", "f2")],
            "evidence": [{"record": number, "contributes": True} for number in numbers],
        }
    return {"citations": numbers, "answerable": both, "answer": "1250 euros" if both else None}


def test_from_a_history_to_a_question_that_is_kept(tmp_path):
    model, records = ScriptedModel(script), history()
    roles = ModelReviewer(model), ModelReader(model)
    checks = partial(
        verify, reviewer=roles[0], reader=roles[1], search=HistorySearch(records), settings=VerificationSettings()
    )
    cast = Cast(make_generator("plan", model), checks, {"planner": "scripted"}, offline=False)
    settings = SupervisionSettings(count=1, unanswerable=0, updated=0)
    made = generate_questions(records, settings, cast, tmp_path, shares={"train": 1.0})
    [question] = made.parts["train"]
    assert (question.question, question.answer, question.answer_type) == (QUESTION, "1,250 euros", "number")
    assert question.type == "bridge"
    assert {records.texts[records.row[one.record]] for one in question.evidence} == {LEASE, RENT}
    assert {request.purpose for request in model.requests} == {
        "supervise/plan",
        "supervise/question",
        "supervise/audit",
        "supervise/recover",
    }
