import pytest

from designsearch.search.supervision.offline.function_words import is_common_verb, is_english, is_function


@pytest.mark.parametrize(
    "word",
    ["She's", "she’s", "Here's", "the", "don't", "since", "Wow", "ever", "Dr", "x" * 41, "昨日窯について話しました"],
)
def test_words_without_content(word):
    assert is_function(word)


@pytest.mark.parametrize("word", ["Maya's", "kiln", "Otto", "der", "{0}", "窯"])
def test_words_with_content(word):
    assert not is_function(word)


def test_words_of_other_languages_count_in_these():
    assert is_function("der", english=False)
    assert is_english("The kiln was mended by the sea.")
    assert is_english("kiln lamp")
    assert not is_english("Der Ofen wurde von der Nachbarin und dem Sohn repariert.")
    assert not is_english("El horno fue reparado por la vecina y costó mucho.")


@pytest.mark.parametrize("word", ["sounds", "reminded", "celebrates", "celebrating", "happening", "makes", "goes"])
def test_forms_of_common_verbs(word):
    assert is_common_verb(word)


@pytest.mark.parametrize("word", ["kilns", "harbour", "need-to", "s", ""])
def test_other_words_are_no_such_forms(word):
    assert not is_common_verb(word)
