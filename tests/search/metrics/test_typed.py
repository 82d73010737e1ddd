import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.records import Question
from designsearch.search.metrics.typed import as_text, canonical, decide, equal, items

TYPES = ("text", "number", "date", "boolean", "list")


@pytest.mark.parametrize(
    ("a", "b", "kind", "same"),
    [
        (15, "15", "number", True),
        ("15", 15.0, "number", True),
        ("3 days", "3 weeks", "number", False),
        ("3 days", "72 hours", "number", False),
        ("5 USD", "$5.00", "number", True),
        ("about 5", "about 5", "number", False),
        (True, "yes", "boolean", True),
        ("Yes.", "TRUE", "boolean", True),
        ("Yes, she did", "yes", "boolean", False),
        (1, True, "boolean", False),
        ("rye, oats and tea", ["tea", "Rye", "oats"], "list", True),
        ("rye, oats, and tea", ["tea", "rye", "oats"], "list", True),
        ("- rye\n- oats", "rye; oats", "list", True),
        ("1. rye\n2. oats", '["oats", "rye"]', "list", True),
        ("rye; rye", "rye", "list", True),
        ("rye", "rye; oats", "list", False),
        ("March 5, 2023 and April 6, 2023", ["2023-04-06", "5 March 2023"], "list", True),
        ("5,6,7", ["7", "six", 5], "list", True),
        ([], [], "list", False),
        ("", "", "text", False),
        (None, None, "text", False),
        ("  Maria   LOPEZ. ", "Maria Lopez", "text", True),
        ("7 May 2023", "May 7, 2023", "text", False),
        ("The sunday before 25 May 2023", "the Sunday before 25 May 2023", "text", True),
    ],
)
def test_equal(a, b, kind, same):
    assert equal(a, b, kind) is same
    assert equal(b, a, kind) is same


def ask(answer, answer_type="text", *alternatives):
    return Question("q", "?", answer, answer_type, alternatives)


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        (ask("Berlin"), "berlin.", True),
        (ask("Berlin"), "It was Berlin", None),
        (ask("Berlin"), " ", False),
        (ask("Berlin", "text", "West Berlin"), "west berlin", True),
        (ask(15), "15.0", True),
        (ask(15), "fifteen", True),
        (ask(15), "16", False),
        (ask(15), "about sixteen", None),
        (ask("15"), "Fifteen.", True),
        (ask(2022, "date"), "2022", True),
        (ask("5 March 2023", "date"), "2023-03-05", True),
        (ask("5 March 2023", "date"), "2023-03-06", False),
        (ask("5 March 2023", "date"), "in spring", None),
        (ask("5 March 2023", "date"), "03/05/2023", None),
        (ask(False, "boolean"), "No", True),
        (ask(False, "boolean"), "Yes", False),
        (ask(True), "false", False),
        (ask(["rye", "oats"]), "oats and rye", True),
        (ask(["rye", "oats"]), "You bought rye", None),
        (ask(0, "number"), "0", True),
        (ask(None), "anything", None),
        (ask(""), "anything", None),
        (ask([]), "anything", None),
    ],
)
def test_decide(question, answer, verdict):
    assert decide(question, answer) is verdict


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (True, "yes"), (False, "no"), (15, "15"), (2.0, "2"), (["a", "b"], "a, b"), ("x", "x")],
)
def test_as_text(value, text):
    assert as_text(value) == text


def test_broken_json_is_a_list_in_words():
    assert items('["rye", oats') == ['["rye"', "oats"]


@given(st.sampled_from(TYPES), st.text(max_size=25), st.text(max_size=25))
def test_symmetric_and_equal_to_itself_where_it_has_a_form(kind, a, b):
    assert equal(a, b, kind) == equal(b, a, kind)
    assert equal(a, a, kind) == (canonical(a, kind) is not None)


@given(st.lists(st.text("abcdé", min_size=1), min_size=1).flatmap(lambda x: st.tuples(st.just(x), st.permutations(x))))
def test_lists_are_sets(pair):
    a, b = pair
    assert equal(a, b, "list")
    assert equal(a, [*b, *a], "list")


@pytest.mark.parametrize(
    "answer",
    ["a" + " " * 200_000 + "b", "[" * 100_000, "[" * 900 + "]" * 900, '["a",' * 50_000, "a and " * 30_000],
    ids=["blanks", "opened", "nested", "json", "and"],
)
def test_an_answer_that_runs_wild_is_compared_at_once(answer):
    begun = time.process_time()
    for gold, kind in ((["a", "b"], "list"), (3, "number"), ("2024-05-01", "date"), (True, "boolean"), ("a", "text")):
        decide(Question("i", "q", answer=gold, answer_type=kind), answer)
    assert time.process_time() - begun < 10  # squared it would be minutes
