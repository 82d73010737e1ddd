import pytest
from hypothesis import given, settings
from rule_worlds import around, odd_histories
from supervision_histories import make_history

from designsearch.search.metrics.typed import canonical, equal
from designsearch.search.supervision.materials import source_of
from designsearch.search.supervision.offline.answers import answers_in


def found(text, *, author="Ana", others=(), careful=True):
    history = make_history({"text": text, "author": author, "time": "2024-03-05"}, *others)
    row = history.row["r0"]
    answers = answers_in(source_of(history, row), around(history), careful=careful)
    return {answer.kind: answer.value for answer in answers}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("yesterday I talked with Teresa Quill about lamps", "person", "Teresa Quill"),
        ("we spent a night in Porto after all", "place", "Porto"),
        ("the film about Undine was long", "name", "Undine"),
        ('I finished "The Tin Orchard" at last', "title", "The Tin Orchard"),
        ("the lamp cost $40 again", "money", "$40"),
        ("the lamp cost forty dollars again", "money", "forty dollars"),
        ("about 50 percent of it", "percent", "50 percent"),
        ("the polish took four years", "duration", "four years"),
        ("we walked 12 km along the shore", "number", "12 km"),
        ("the ferry left at 6:30 pm", "time", "6:30 pm"),
    ],
)
def test_what_a_record_holds(text, kind, value):
    assert found(text).get(kind) == value


@pytest.mark.parametrize(
    "text",
    [
        "I did it 3 times, or 1 time",
        "once upon the hill",
        "Thanks, Teresa! You are kind.",
        "Hey Teresa, are you there?",
        "that was kind of you, Teresa.",
        "my friends call me Ana",
        "the American team won and the LGBTQ community too",
        "here is a thing [image: Teresa Quill in Porto for $40]",
        "From: Undine\nand nothing more",
        "- Packing\n* Sweeping\nSomething: Mending",
        "they said 'nothing much' and \"helpful\"",
        "see https://Undine.example/Porto",
        "12 and 13",
        "今日は昨日BergenでIvanさんと窯",
    ],
)
def test_what_is_no_answer(text):
    assert not set(found(text)) & {"person", "place", "name", "title", "money", "number", "duration"}


def test_names_of_those_who_talk_are_no_answers_and_others_are():
    others = ({"text": "x", "author": "Melanie"},)
    assert found("then I went with Mel and Melanie", others=others) == {}
    assert found("then I went with Otto", others=others) == {"person": "Otto"}


def test_several_of_a_kind_are_no_answer_unless_nobody_minds():
    text = "we paid 40 dollars and then 75 dollars"
    assert found(text) == {}
    assert found(text, careful=False) == {"money": "40 dollars"}
    assert found("we paid 40 dollars, yes, 40 dollars") == {"money": "40 dollars"}


@pytest.mark.parametrize(
    ("text", "unit"), [("12 litres of tea", "litres"), ("4 miles on", "miles"), ("3 lbs", "pounds")]
)
def test_units_are_asked_for_in_words(text, unit):
    history = make_history({"text": text})
    (answer,) = answers_in(source_of(history, 0), around(history))
    assert answer.opening("{unit} {who} {0}") == f"how many {unit} did {{unit}} {{who}} {{0}} mention"


@given(odd_histories())
@settings(max_examples=150, deadline=None)
def test_answers_stand_where_they_say(history):
    world = around(history)
    for row in range(len(history)):
        source = source_of(history, row)
        for answer in answers_in(source, world, careful=False):
            said = source.text[slice(*answer.span)]
            assert canonical(answer.value, answer.type) is not None
            assert answer.value in said or equal(answer.value, said, "number")
