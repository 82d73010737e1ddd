import pytest

from designsearch.runtime.models.offline.words import base_form, is_negated, is_verb_form, plain, stems_of, words_of


def test_words_are_casefolded_and_lose_their_possessive():
    assert words_of("Ana’s dog isn't here") == ["ana", "dog", "isn't", "here"]


def test_scripts_without_spaces_give_one_word_a_character():
    assert words_of("猫が好き cats") == ["猫", "が", "好", "き", "cats"]


def test_irregular_forms_share_a_stem_with_their_base():
    assert stems_of(["went", "gone", "going"]) == ["go", "go", "go"]
    assert stems_of(["children", "baked"]) == stems_of(["child", "bake"])
    assert stems_of(["digging", "dug", "lent", "frozen"]) == ["dig", "dig", "lend", "freez"]
    assert stems_of(["teeth", "shelves"]) == stems_of(["tooth", "shelf"])
    assert is_verb_form("dug")
    assert not is_verb_form("teeth")


def test_negation():
    assert is_negated(["i", "didn't", "go"])
    assert is_negated(["never"])
    assert not is_negated(["i", "went"])


def test_two_ways_to_write_an_accent_are_one():
    assert words_of(plain("cafe\u0301")) == words_of(plain("caf\u00e9"))


@pytest.mark.parametrize(("word", "base"), [("went", "go"), ("bought", "buy"), ("walked", "walked"), ("tea", "tea")])
def test_base_forms_of_irregular_words(word, base):
    assert base_form(word) == base
