"""Questions, audits and blind answers by the bundled model: all of it runs to its end and is booked on its role.

The model is far too small for sensible plans; what it writes is not looked at.
"""

from __future__ import annotations

import pytest

from designsearch.runtime.models.serving import extras
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.team import Team
from designsearch.search.costs import by_role
from designsearch.search.supervision.contracts import Audit, BlindAsk, Draft, Material, Reading, Rejection, Source
from designsearch.search.supervision.models.generators import make_generator
from designsearch.search.supervision.models.plan_requests import question_request
from designsearch.search.supervision.models.reader import ModelReader
from designsearch.search.supervision.models.reviewer import ModelReviewer
from designsearch.search.supervision.plans import ANSWER, Citation, Contribution, Fact, Operation, Plan

pytestmark = [
    pytest.mark.skipif(not extras.installed(extras.LOCAL_LIBRARY), reason=f"needs {extras.LOCAL_INSTALL}"),
    pytest.mark.skipif(extras.bundled_model() is None, reason=f"needs {extras.BUNDLE_INSTALL}"),
]

SMALL = ModelSettings(model="local", context_tokens=2048, concurrency=1, max_output_tokens=32, timeout=6, retries=0)
"""Four requests of at most two calls, each given up after six seconds: under a minute, however busy the machine."""
SOURCES = (
    Source("r1", 0, "I signed the lease for the flat on Mill Lane.", "2024-03-02", "Ana"),
    Source("r2", 1, "The rent for Mill Lane is 1,250 euros a month.", "2024-03-05", "Ben"),
)
MATERIAL = Material(0, SOURCES, ("1 to 2: later in the same conversation",), 3)
QUOTE = SOURCES[1].text[:38]
PLAN = Plan(
    "What the flat costs a month",
    "number",
    "1,250 euros",
    (Fact("f1", QUOTE, (Citation("r2", 0, 38, QUOTE),), "1,250 euros"),),
    (Contribution("r2", "gives the rent"),),
    (Operation("lookup", ("f1",), ANSWER, "1,250 euros"),),
)
DRAFT = Draft(MATERIAL, PLAN, "How much does Ana pay each month for her home?")


@pytest.fixture(scope="module")
def team():
    opened = Team.open({"planner": SMALL, "reviewer": SMALL, "reader": SMALL})
    yield opened
    opened.close()


def test_every_role_runs_and_is_booked(team):
    planner, reviewer, reader = (team.model(role) for role in ("planner", "reviewer", "reader"))
    [made] = make_generator("plan", planner).draft([MATERIAL])
    assert isinstance(made, Draft | Rejection)
    [question] = planner.complete([question_request(PLAN, MATERIAL)])
    assert question.calls > 0
    [audit] = ModelReviewer(reviewer).audit([DRAFT])
    assert isinstance(audit, Audit)
    [reading] = ModelReader(reader).read([BlindAsk(DRAFT.question, "number", SOURCES)])
    assert isinstance(reading, Reading)

    purposes = {(tally.role, tally.purpose) for tally in team.tallies()}
    assert {
        ("planner", "supervise/plan"),
        ("planner", "supervise/question"),
        ("reviewer", "supervise/audit"),
        ("reader", "supervise/recover"),
    } == purposes
    costs = by_role(team.tallies())
    assert list(costs) == ["planner", "reviewer", "reader"]
    assert all(one.calls >= 1 and one.input_tokens > 0 and one.output_tokens > 0 for one in costs.values())
    assert team.spent.calls == sum(one.calls for one in costs.values())


def test_people_are_told_what_each_role_gets(team):
    [line] = team.destinations()
    assert line.startswith("planner, reviewer, reader: local")
    assert line.endswith("on this machine gets records, questions and answers")
