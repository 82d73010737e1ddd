from hypothesis import given
from rule_worlds import odd_histories
from supervision_histories import make_history

from designsearch.search.supervision.materials import source_of
from designsearch.search.supervision.offline.asker import Asker


def talk(*authors, role="user"):
    return make_history(*({"text": "x", "author": author, "role": role} for author in authors))


def test_one_author_or_an_assistant_is_the_askers_own():
    assert Asker.of(talk("Ana")).alone
    assert Asker.of(talk("", " ")).alone
    assert Asker.of(talk("Ana", "Ben", role="assistant")).alone
    assert not Asker.of(talk("Ana", "Ben")).alone


def test_the_shortest_name_that_stands_for_one_alone():
    history = talk("Ana Lund", "Ben Smith", "Ben Jones", "")
    asker = Asker.of(history)
    assert [asker.name(source_of(history, row)) for row in range(4)] == ["Ana", "Ben Smith", "Ben Jones", "I"]


def test_names_of_those_who_talk():
    asker = Asker.of(talk("Melanie", "Caroline Brown"))
    for name in ("Mel", "caroline", "Caroline Brown", "Brown"):
        assert asker.is_speaker(name, "Melanie")
    assert not asker.is_speaker("Me", "")
    assert not asker.is_speaker("Matt Brown", "Melanie")
    many = Asker.of(talk("Ana", "Ben", "Caro", "Dimitri", "Else"))
    assert many.is_speaker("Ana", "Ana")
    assert not many.is_speaker("Ana", "Ben")


@given(odd_histories())
def test_any_names(history):
    asker = Asker.of(history)
    for row in range(len(history)):
        source = source_of(history, row)
        assert asker.name(source) in {"I", source.author, *source.author.split()[:1]}
        assert not source.author.strip() or asker.is_speaker(source.author, source.author)
