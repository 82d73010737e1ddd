"""Contexts: exactly within the budget, and greedy as the rules say."""

import pytest
from context_reference import SlowContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from runtime_fakes import QuarterCounter, WordCounter, WrappedCounter, ask, design_of, memory_of, ranked

from designsearch.dsl.design import ContextPlan, Section
from designsearch.runtime.context import build_contexts
from designsearch.runtime.context_variables import QuestionVariable
from designsearch.runtime.services import Services
from designsearch.runtime.token_counter import BundledCounter

COUNTERS = {c.name: c for c in (BundledCounter(), QuarterCounter(), WordCounter(), WrappedCounter())}
TWO = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: turns}}}}
retrieval: [{op: recent, store: a}]
"""

TEXTS = st.one_of(
    st.sampled_from(
        ["tea", "", "a red kayak", "one two three four five six", "\n", "line\nbreak\n", "  ", "绿茶", "😀"]
    ),
    st.text(alphabet=st.sampled_from("ab 7.-=\n▁é"), max_size=25),
)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {
            "text": TEXTS,
            "session": st.sampled_from(["", "s", "t"]),
            "author": st.sampled_from(["Ana", "Ben"]),
            "source": st.sampled_from(["chat", "mail"]),
            "time": st.sampled_from([None, "1931-02-03", "2024-01-01", "2024-01-01T09:00", "2024-02"]),
        }
    ),
    max_size=9,
)
SECTIONS = st.builds(
    Section,
    item=st.sampled_from(
        [
            "{{ unit.text }}",
            "- {{ unit.text }}",
            "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text | truncate_tokens(3) }}",
            "{{ question }} {{ unit.text }}",
            "{{ unit.time | ago }} {{ unit.text }}",
        ]
    ),
    source=st.sampled_from([None, None, "a", "b"]),
    share=st.sampled_from([0.2, 0.25, 1 / 3]),
    header=st.sampled_from(["", "", "Notes:", "## For {{ question }}\n"]),
    footer=st.sampled_from(["", "", "end"]),
    group=st.sampled_from(["", "== {{ group }} ==", "{{ group.time | ago }}:", "{{ group.time | time }}"]),
    group_by=st.sampled_from([None, "session", "day", "source", "author"]),
    order=st.sampled_from(["relevance", "chronological", "edges"]),
    separator=st.sampled_from(["\n", "\n", "\n\n", "\n---\n", " | ", "", "\n\n========= and then =========\n"]),
    max_units=st.sampled_from([None, None, 1, 3]),
    fill=st.sampled_from(["skip", "stop"]),
)
AROUND = st.sampled_from(["", "", "Memories", "about {{ question }}"])


@st.composite
def plans(draw):
    sections = draw(st.lists(SECTIONS, min_size=1, max_size=3))
    if len(sections) == 1 and draw(st.booleans()):
        sections = [Section(**{name: getattr(sections[0], name) for name in Section.__slots__} | {"share": 1.0})]
    return ContextPlan(tuple(sections), draw(AROUND), draw(AROUND))


@st.composite
def cases(draw):
    entries = draw(ENTRIES)
    counter = COUNTERS[draw(st.sampled_from(sorted(COUNTERS)))]
    m = memory_of(entries, TWO, Services(counter=counter))
    ids = draw(st.permutations(range(m.size)))
    return draw(plans()), m, list(ids)[: draw(st.integers(0, m.size))], draw(st.integers(0, 70))


@given(cases(), st.sampled_from(["", "what about tea?"]), st.sampled_from([None, "2024-03-01"]))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_exactly_within_the_budget_and_greedy(case, question, as_of):
    plan, m, ids, budget = case
    asked = ask(question, as_of=as_of)
    (made,) = build_contexts(plan, m, ranked(ids), asked, budget)
    assert made.tokens == int(m.services.counter.count_all([made.text])[0])
    assert made.tokens <= budget or made.text == ""
    slow = SlowContext(plan, m, ids, QuestionVariable.of(asked, 0), budget)
    text, order = slow.build()
    assert made.text == text
    assert [unit.id for unit in made.units] == order
    for unit in made.units:
        assert unit.rank == ids.index(unit.id) + 1
        assert (unit.store, unit.records) == m.source_of(unit.id)


@given(
    st.lists(st.text(alphabet="ab c", min_size=1, max_size=90), min_size=1, max_size=300),
    st.integers(0, 700),
    st.sampled_from(["relevance", "chronological", "edges"]),
    st.sampled_from(["", "[{{ group }}]"]),
)
@settings(max_examples=30, deadline=None)
def test_long_rankings(texts, budget, order, group):
    m = memory_of([{"text": t, "time": f"2024-01-{1 + i * 7 % 28:02d}"} for i, t in enumerate(texts)], TWO)
    plan = ContextPlan((Section("{{ unit.text }}", order=order, group=group, group_by="day"),))
    ids = [i * 37 % m.size for i in range(m.size)] if m.size % 37 else list(range(m.size))
    (made,) = build_contexts(plan, m, ranked(ids), ask("?"), budget)
    text, units = SlowContext(plan, m, ids, QuestionVariable.of(ask("?"), 0), budget).build()
    assert made.text == text
    assert [unit.id for unit in made.units] == units


def context(entries, ids=None, question="?", budget=1000, as_of=None, services=None, storage="", **section):
    m = memory_of(entries, storage, services)
    plan = ContextPlan((Section(**{"item": "{{ unit.text }}", **section}),))
    ids = list(range(m.size)) if ids is None else ids
    return build_contexts(plan, m, ranked(ids), ask(question, as_of=as_of), budget)[0]


HOSTILE = [
    "total {{ 6*7 }} and {{ question }}",
    "{% for x in y %}{% raw %}",
    "</context> <|im_end|> {name} %s",
    "{# gone #}",
    "lone \ud800 half",
    "\x00\x1f",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_record_comes_through_unchanged(text):
    assert context([text]).text == text
    assert context(["x"], question=text, item="{{ question }}").text == text
    grouped = context([{"text": "x", "author": text}], group_by="author", group="{{ group }}")
    assert grouped.text == f"{text}\nx"


def test_skip_and_stop():
    texts = ["one", "two " * 50, "three"]
    assert context(texts, budget=20).text == "one\nthree"
    assert context(texts, budget=20, fill="stop").text == "one"


def test_nothing_fits_or_nothing_is_there():
    for made in (context(["tea " * 9], budget=3), context([], budget=3), context(["tea"], ids=[]), context([""])):
        assert (made.text, made.tokens, made.units) == ("", 0, ())
    assert context(["tea"], header="Notes:", footer="end", budget=4).text == ""


@pytest.mark.parametrize(
    ("order", "expected"),
    [("relevance", "abcde"), ("chronological", "dbaec"), ("edges", "acedb")],
)
def test_order(order, expected):
    times = {"a": "2024-03-01", "b": "2024-02-01", "c": None, "d": "1931", "e": "2024-03-01T10:00"}
    entries = [{"text": t, "time": time} for t, time in times.items()]
    m = memory_of(entries)
    ids = [m.history.texts.index(t) for t in "abcde"]
    plan = ContextPlan((Section("{{ unit.text }}", order=order),))
    assert build_contexts(plan, m, ranked(ids), ask("?"), 99)[0].text == "\n".join(expected)


def test_groups_stand_in_order_of_their_first_unit():
    entries = [{"text": t, "session": s} for t, s in zip("abcd", "ssts", strict=True)]
    made = context(entries, ids=[2, 0, 3], group_by="session", group="# {{ group }}", header="Notes", footer="end")
    assert made.text == "Notes\n# t\nc\n# s\na\nd\nend"
    assert [unit.rank for unit in made.units] == [1, 2, 3]


def test_a_group_has_the_time_of_its_first_record_whichever_unit_comes_first():
    entries = [
        {"text": "old", "author": "Ana", "time": "2023-01-01"},
        {"text": "new", "author": "Ana", "time": "2024-05-05"},
    ]
    for by in ("author", "source", "session"):
        made = context(entries, ids=[1], group_by=by, group="{{ group.time | day }}")
        assert made.text == "2023-01-01\nnew"


@pytest.mark.parametrize(
    ("time", "expected"), [("1931-02-03", "1931-02-03"), ("1969-12-31T23:00", "1969-12-31"), (None, "")]
)
def test_days(time, expected):
    assert context([{"text": "x", "time": time}], group_by="day", group="<{{ group }}>").text == f"<{expected}>\nx"


def test_titles_follow_the_time_of_asking_even_for_equal_questions():
    m = memory_of([{"text": "x", "time": "2024-05-01"}])
    plan = ContextPlan((Section("{{ unit.text }}", group_by="day", group="{{ group.time | ago }}"),))
    asked = ask("?", "?", as_of=["2024-05-02", "2024-05-04"])
    made = build_contexts(plan, m, ranked([0], [0]), asked, 99)
    assert [c.text for c in made] == ["yesterday\nx", "3 days ago\nx"]


def test_what_one_section_leaves_over_flows_to_the_next():
    m = memory_of([{"text": t, "session": "s", "author": t} for t in ("aa", "bb", "cc", "dd")], TWO)
    few, many = (
        ContextPlan(
            (
                Section("{{ unit.text }}", source="a", share=0.5, max_units=most),
                Section("{{ unit.text }}", source="b", share=0.5),
            )
        )
        for most in (1, None)
    )
    counter = WordCounter()
    m = memory_of(
        [{"text": t, "session": "s", "author": t} for t in ("aa", "bb", "cc", "dd")], TWO, Services(counter=counter)
    )
    ids = list(range(m.size))
    assert build_contexts(few, m, ranked(ids), ask("?"), 4)[0].text.split() == ["aa", "aa", "bb", "cc"]
    assert build_contexts(many, m, ranked(ids), ask("?"), 4)[0].text.split() == ["aa", "bb", "aa", "bb"]


def test_a_share_holds_a_single_section_too():
    assert (
        context(["a", "b", "c", "d"], budget=8, share=0.5, services=Services(counter=WordCounter())).text
        == "a\nb\nc\nd"
    )
    assert context(["a", "b", "c", "d"], budget=4, share=0.5, services=Services(counter=WordCounter())).text == "a\nb"


def test_views_in_a_template():
    storage = "storage: {views: {around: {op: window}}}"
    entries = [{"text": "a", "session": "s"}, {"text": "b", "session": "s"}]
    assert context(entries, ids=[0], storage=storage, item="{{ unit.around }}|{{ unit.text }}").text == "a\nb|a"


def test_what_a_template_knows_of_a_unit():
    entry = {
        "text": "tea",
        "time": "2024-05-01T09:30",
        "author": "Ana",
        "role": "user",
        "session": "s",
        "source": "chat",
        "section": "x",
        "meta": {"place": "home"},
    }
    names = ("id", "time", "author", "role", "session", "source", "section", "meta.place")
    item = " ".join(f"{{{{ unit.{name} }}}}" for name in names)
    assert context([entry], item=item).text == "r0 2024-05-01T09:30 Ana user s chat x home"


def test_items_are_rendered_and_counted_once_for_all_questions_and_orders(monkeypatch):
    counted = []

    class Counter(BundledCounter):
        def count_all(self, texts):
            counted.extend(texts)
            return super().count_all(texts)

    services = Services(counter=Counter())
    texts = [f"memory number {i}" for i in range(300)]
    for order in ("relevance", "chronological"):
        m = memory_of(texts, services=services)
        plan = design_of(f"context: {{order: {order}}}").context
        build_contexts(plan, m, ranked(*[list(range(300))] * 4), ask(*"abcd"), 500)
    firsts = 4  # of what stands first in a text the length there is counted as well
    assert len([text for text in counted if "memory" in text]) <= len(texts) + firsts


def test_questions_are_independent():
    m = memory_of(["a", "b", "c"])
    plan = ContextPlan((Section("{{ unit.text }}"),))
    made = build_contexts(plan, m, ranked([2], [], [0, 1]), ask("?", "?", "?"), 99)
    assert [c.text for c in made] == ["c", "", "a\nb"]


@pytest.mark.parametrize("budget", [3, 4, 5])
def test_a_separator_that_no_first_unit_needs_takes_no_room(budget):
    section = Section(item="{{ unit.text }}", share=1 / 3, separator="\n\n========= and then =========\n")
    m = memory_of([{"text": "tea"}], services=Services(counter=QuarterCounter()))
    (made,) = build_contexts(ContextPlan((section,)), m, ranked([0]), ask(""), budget)
    assert (made.text, made.tokens) == ("tea", 1)
