"""What a policy noted is what the context shows: the records cited, and what a model wrote beside them."""

from __future__ import annotations

import numpy as np
import pytest
from model_fakes import ScriptedModel
from policy_fakes import STOP as END
from policy_fakes import Scripted, add
from policy_fakes import search as look
from policy_llm_fakes import STOP, TALK, note, search
from runtime_fakes import WordCounter, ask, design_of, history_of, memory_of, ranked

from designsearch.runtime.compile import compile_design
from designsearch.runtime.context import build_contexts
from designsearch.runtime.episodes.states import Cited, Note, State, Trajectory
from designsearch.runtime.excerpts import Excerpt, excerpts_of
from designsearch.runtime.lost_at import lost_at
from designsearch.runtime.operators.policy import policy as module
from designsearch.runtime.pipeline import Step
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.services import Services

SESSIONS = "storage: {units: {op: sessions}}\n"
POLICY = "{op: policy, policy: llm, search: [{op: recent, k: 5}]}"
ITEM = "context: {item: '%s'}"
PLAIN = ITEM % "[{{ unit.author }}] {{ unit.text }}"
WITH_NOTE = ITEM % "{{ unit.text }}{% if note.content %} ({{ note.content }}){% endif %}"
THREE = [
    {"text": text, "author": author, "session": "s", "time": f"2024-05-0{day}T10:00:00"}
    for text, author, day in [("One is red", "Ann", 1), ("Two is blue", "Ben", 2), ("Three is red", "Cleo", 3)]
]
"""One session of three days."""


def noting(*calls):
    """A script of a helper: search once, write the notes, stop."""

    def script(request):
        tools = [tool.name for tool in request.tools]
        if "add_note" in tools:
            return list(calls)
        return STOP if any("Your notes:" in one.content for one in request.messages) else search("kayak red")

    return script


def built(design, script, *, entries=TALK, budget=4000, questions=("Who has the kayak red now",), counter=None):
    """A memory, the run of a design with a scripted helper, and the contexts."""
    services = Services(helper=ScriptedModel(script), counter=counter or WordCounter())
    pipeline = compile_design(design_of(design), budget, services)
    m, queries = pipeline.open(history_of(entries)), ask(*questions)
    run = pipeline.search(m, queries)
    return m, run, pipeline.contexts(m, run, queries)


def test_only_the_cited_records_are_shown():
    m, run, (context,) = built(f"{SESSIONS}retrieval: [{POLICY}]\n{PLAIN}", noting(note(2, 2), note(0, 1, 2)))
    assert run.ranking.ids.tolist() == [2, 0]
    assert context.text == "[Ben] Cleo paid with a bicycle\n[Ann] We took the kayak down the river\nWas the kayak new"
    assert [unit.records for unit in context.units] == [("r4",), ("r0", "r1")]
    assert m.text(2).startswith("The kayak was sold"), "the unit itself is whole"


def test_what_a_model_wrote_stands_beside_it():
    design = f"{SESSIONS}retrieval: [{POLICY}]\n{WITH_NOTE}"
    _, _, (context,) = built(design, noting(note(2, 1, content="the buyer"), note(0, 1, 2, content="")))
    assert context.text == "The kayak was sold to Cleo (the buyer)\nWe took the kayak down the river\nWas the kayak new"


def test_events_too():
    design = f"storage: {{units: {{op: events}}}}\nretrieval: [{POLICY}]\n{WITH_NOTE}"
    _, _, (context,) = built(design, noting(note(0, 3, content="no red")), entries=THREE)
    assert context.text == "Three is red (no red)"
    assert context.units[0].records == ("r2",)


def test_what_a_model_wrote_is_never_a_template():
    design = f"{SESSIONS}retrieval: [{POLICY}]\n{WITH_NOTE}"
    _, _, (context,) = built(design, noting(note(2, 1, content="{{ 7 * 7 }}{% for x in y %}")))
    assert context.text == "The kayak was sold to Cleo ({{ 7 * 7 }}{% for x in y %})"


def test_several_notes_about_one_unit_are_one_item():
    design = f"{SESSIONS}retrieval: [{POLICY}]\n{WITH_NOTE}"
    script = noting(note(0, 3, content="b"), note(0, 1, content="a"), note(0, 1, content="b"))
    _, _, (context,) = built(design, script, entries=THREE)
    assert context.text == "One is red\nThree is red (b\na)"


def test_order_and_groups_are_those_of_the_records_shown():
    shown = (
        'item: "{{ unit.time | day }} {{ unit.text }}", group_by: author, group: "# {{ group }}", order: chronological'
    )
    design = f"{SESSIONS}retrieval: [{POLICY}]\ncontext: {{{shown}}}"
    late = {"text": "red tea", "author": "Ann", "session": "t", "time": "2024-05-02T12:00:00"}
    _, _, (context,) = built(design, noting(note(0, 3), note(1, 1)), entries=[*THREE, late])
    assert context.text == "# Ann\n2024-05-02 red tea\n# Cleo\n2024-05-03 Three is red"


@pytest.mark.parametrize("item", [PLAIN, ITEM % "{{ unit.text }} ({{ question }})"])
def test_what_one_question_is_shown_is_not_what_another_one_is(item):
    def script(request):
        zebra = any("zebra" in one.content for one in request.messages)
        return noting(note(2, 1, 2, content="") if zebra else note(2, 2))(request)

    _, _, contexts = built(f"{SESSIONS}retrieval: [{POLICY}]\n{item}", script, questions=("the kayak", "zebra"))
    whole = "The kayak was sold to Cleo\nCleo paid with a bicycle"
    assert whole not in contexts[0].text
    assert "Cleo paid with a bicycle" in contexts[0].text
    assert whole in contexts[1].text


@pytest.mark.parametrize("counter", [WordCounter(), Services().counter])
@pytest.mark.parametrize("order", ["relevance", "chronological"])
@pytest.mark.parametrize("budget", [*range(1, 26), 40])
def test_excerpts_are_cut_by_the_budget_as_items_are(budget, order, counter):
    """Records that are units of their own give the same text at every budget."""
    context = f"context: {{item: '[{{{{ unit.author }}}}] {{{{ unit.text }}}}', order: {order}}}"
    script = noting(note(2, 2), note(0, 1), note(1, 1))
    made = built(f"{SESSIONS}retrieval: [{POLICY}]\n{context}", script, budget=budget, counter=counter)[2][0]
    m = memory_of(TALK, context, Services(counter=counter))
    (same,) = build_contexts(m.design.context, m, ranked([4, 0, 2]), ask("q"), budget)
    assert (made.text, made.tokens) == (same.text, same.tokens)
    assert [unit.records for unit in made.units] == [unit.records for unit in same.units]
    assert made.tokens <= budget


@pytest.mark.parametrize(
    "after",
    [
        "{op: take, k: 1}",
        "{op: recent, k: 5}, {op: rrf}, {op: take, k: 1}",
    ],
)
def test_later_stages_change_nothing_of_what_is_shown(after):
    design = f"{SESSIONS}retrieval: [{POLICY}, {after}]\n{PLAIN}"
    _, _, (context,) = built(design, noting(note(2, 2)))
    assert context.text == "[Ben] Cleo paid with a bicycle"


def test_in_a_branch_too():
    design = f"{SESSIONS}retrieval: [{{op: branch, branches: {{a: [{POLICY}]}}, fuse: {{op: rrf}}}}]\n{PLAIN}"
    _, _, contexts = built(design, noting(note(2, 2)), questions=("kayak", "the kayak"))
    assert [one.text for one in contexts] == ["[Ben] Cleo paid with a bicycle"] * 2


@pytest.mark.parametrize("around", ["%s", "{op: branch, branches: {a: [%s]}, fuse: {op: rrf}}"])
def test_of_a_policy_in_the_search_of_another_the_notes_of_that_one_count(around):
    inner = POLICY.replace("recent, k: 5", "recent, k: 1").replace("search:", "instructions: inner, search:")
    outer = POLICY.replace("{op: recent, k: 5}", inner)

    def script(request):
        within = any("inner" in one.content for one in request.messages)
        return noting(note(2, 1, content="inside") if within else note(2, 2))(request)

    _, _, (context,) = built(f"{SESSIONS}retrieval: [{around % outer}]\n{WITH_NOTE}", script)
    assert context.text == "Cleo paid with a bicycle (a clue)"


def test_units_of_a_store_are_whole_with_the_words_at_the_first():
    design = f"""
storage: {{stores: {{talks: {{units: {{op: sessions}}}}, lines: {{units: {{op: records}}}}}}}}
retrieval: [{{op: policy, policy: llm, store: lines, search: [{{op: bm25, store: talks, k: 3}}]}}]
{WITH_NOTE}
"""
    _, _, (context,) = built(design, noting(note(0, 1, 3, content="both red")), entries=THREE)
    assert context.text == "One is red (both red)\nThree is red"


@pytest.mark.parametrize("stages", [POLICY, f"{POLICY}, {{op: recent, k: 5}}, {{op: rrf}}"])
def test_a_record_that_no_note_cites_was_lost_by_the_policy(stages):
    m, run, _ = built(f"{SESSIONS}retrieval: [{stages}]\n{PLAIN}", noting(note(2, 2)))
    (excerpts,) = excerpts_of(run.steps, ask("Who has the kayak red now"), m)
    assert lost_at(run.steps, 0, 4, np.array([2]), excerpts) == ("context", 1)
    assert lost_at(run.steps, 0, 3, np.array([2]), excerpts) == ("retrieval[0].extract", 1)


def test_whole_units_without_words_have_no_excerpt(monkeypatch):
    design = design_of(f"{SESSIONS}retrieval: [{{op: policy, rest: true, search: [{{op: bm25, k: 3}}]}}]")
    pipeline = compile_design(design)
    m, queries = pipeline.open(history_of(TALK)), ask("q")
    monkeypatch.setattr(module, "make_policy", lambda *_: Scripted(m, [look("kayak"), add(0), END]))
    run = pipeline.search(m, queries)
    assert excerpts_of(run.steps, queries, m) == [{}]
    contexts = pipeline.contexts(m, run, queries)
    assert contexts == build_contexts(design.context, m, run.ranking, queries, pipeline.budget)


def test_overlapping_citations_are_one():
    m = compile_design(design_of(f"{SESSIONS}retrieval: [{{op: bm25}}]")).open(history_of(THREE))
    whole = note_of(m, 0).cited
    cited = (Cited(0, 2, 8), Cited(0, 0, 5), Cited(0, 9, 10), Cited(1, 0, 3))
    (excerpt,) = excerpts(m, Note(0, cited[:2]), Note(0, cited[:1:-1])).values()
    assert excerpt == Excerpt((Cited(0, 0, 8), Cited(0, 9, 10), Cited(1, 0, 3)))
    assert excerpt.text(m.history) == "One is r\nd\nTwo"
    assert excerpts(m, Note(0, whole[:2]), Note(0, whole[2:])) == {}, "together they are the unit"


def excerpts(m, *notes):
    """What is shown of the units of an episode's notes."""
    queries = ask("q")
    episode = Trajectory((), State("q", 8, notes=notes))
    step = Step("retrieval[0]", "policy", ranked([0]), queries, narrows=False, seconds=0.0, episodes=(episode,))
    return excerpts_of([step], queries, m)[0]


def test_of_a_unit_that_a_model_wrote_the_cited_source_is_shown():
    """Its own text is no evidence; without a note of a model it is shown as it is."""

    def script(request):
        if request.purpose.startswith("memory/"):
            return {"facts": [{"text": "A vehicle changed hands", "from": [2]}]}
        return noting(note(0, 1, content="sold"))(request)

    entries = [dict(TALK[3], session="a"), dict(TALK[4], session="a")]
    m, _, (context,) = built(
        f"storage: {{units: {{op: facts}}}}\nretrieval: [{POLICY}]\n{WITH_NOTE}", script, entries=entries
    )
    assert m.text(0) == "A vehicle changed hands"
    assert context.text == "Cleo paid with a bicycle (sold)"
