import pytest
from supervision_histories import edges_of, make_history

from designsearch.search.supervision.graph.graph import EdgeKind, build_graph


def references(*records, **options):
    return edges_of(build_graph(make_history(*records), **options), EdgeKind.REFERENCE)


def test_replies_and_references_link_in_both_directions_of_time():
    assert references({"refs": ("r2",)}, {}, {"reply_to": "r1"}) == {(0, 2): 1.0, (1, 2): 1.0}


def test_what_is_not_there_links_nothing():
    assert references({"reply_to": "gone", "refs": ("lost", "")}, {"reply_to": "r1"}) == {}


def test_a_mail_that_lists_a_long_thread_refers_to_the_last_ones():
    ids = tuple(f"r{i}" for i in range(12))
    found = references(*({} for _ in range(12)), {"refs": ids})
    assert sorted(low for low, _ in found) == list(range(4, 12))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("see https://example.org/a/b.", "(https://example.org/a/b/)"),
        ("see http://www.example.org/x?y=1", "at www.example.org/x?y=1, I think"),
        ("[here](https://example.org/p)", "https://example.org/p#part"),
        ("I sent Budget_2024.xlsx", "is 'budget_2024.XLSX' final?"),
        ("look at C:/papers/plan.pdf.", "plan.pdf"),
        ("请看plan.pdf", "plan.pdf"),
        ("Übersicht.pdf", "die übersicht.PDF"),
        ("In-Reply-To: <20240102.77ab@mail.example>", "References: <20240102.77AB@mail.example>"),
    ],
)
def test_two_records_that_share_a_name_are_linked(one, two):
    assert references({"text": one}, {"text": "nothing"}, {"text": two}) == {(0, 2): 0.5}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("mail <ann.lee@example.org>", "mail <ann.lee@example.org>"),
        ("on 2024", "in 2024"),
        ("it is 3.5 or so", "it is 3.5 or so"),
        ("I said so.I did", "I said so.I did"),
    ],
)
def test_addresses_of_people_numbers_and_plain_words_link_nothing(one, two):
    assert references({"text": one}, {"text": two}) == {}


def test_a_name_that_many_records_share_links_nothing():
    records = [{"text": "see plan.pdf"} for _ in range(4)]
    assert len(references(*records, holders=4)) == 6
    assert references(*records, holders=3) == {}


@pytest.mark.parametrize("text", ["as m-17 says", "(m-17)", "m-17, m-18", "见m-17。", "「m-17」"])
def test_an_id_in_a_text_links_to_its_record(text):
    assert references({"id": "m-17"}, {"text": text}) == {(0, 1): 1.0}


def test_an_id_that_is_a_word_or_a_number_is_no_mention():
    assert references({"id": "plan"}, {"id": "12"}, {"text": "the plan for 12"}) == {}


def paper(number, name="notes_7.md", **more):
    return {
        "id": f"{name}#{number}",
        "source": "attachment",
        "section": "S",
        "session": name,
        "time": "2024-01-01",
    } | more


def test_a_file_name_links_to_where_the_document_begins():
    assert references(paper(1), paper(2), {"text": "I wrote notes_7.md today"}) == {(0, 2): 1.0}


@pytest.mark.parametrize(
    "more",
    [{"text": "it is in notes_7"}, {"meta": {"research": "notes_7"}}, {"meta": {"files": [{"name": "notes_7.md"}]}}],
)
def test_a_document_is_known_by_its_name_without_ending_and_by_what_the_source_says(more):
    assert references(paper(1), paper(2), more) == {(0, 2): 1.0}


def test_a_file_name_with_spaces_is_known_where_the_history_has_the_file():
    own = paper(1, "My long report.md"), paper(2, "My long report.md")
    assert references(*own, {"text": "read my long report.md please"}) == {(0, 2): 1.0}


def test_a_message_id_that_a_record_bears_links_to_it():
    found = references({"meta": {"Message-ID": "<a1b2c3d4@x>"}}, {"text": "see <a1b2c3d4@x>"})
    assert found == {(0, 1): 1.0}


def test_hostile_texts_take_no_time():
    long = [
        "a" * 200_000,
        "." * 200_000,
        "a." * 100_000,
        "www." * 50_000,
        "<" * 200_000,
        "1" * 200_000 + "!",
        "x@" * 90_000,
    ]
    assert references(*({"text": text} for text in long)) == {}
