from designsearch.runtime.records import Evidence, Question
from designsearch.search.groups import group_questions


def question(name, *records, words=None):
    return Question(name, words or name, "a", evidence=tuple(Evidence(r) for r in records))


def test_shared_records_join_over_several_questions():
    some = [question("a", "r1"), question("b", "r1", "r2"), question("c", "r2")]
    questions = [*some, question("d", "r3"), question("e")]
    assert group_questions(questions) == [("a", "b", "c"), ("d",), ("e",)]
    assert group_questions(questions[::-1]) == group_questions(questions)


def test_the_same_words_join():
    assert group_questions([question("a", words="Who  is it?"), question("b", words="who is it?")]) == [("a", "b")]
