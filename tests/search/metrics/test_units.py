import pytest

from designsearch.search.metrics.units import singular, unit_of


@pytest.mark.parametrize(
    ("text", "unit"),
    [("hrs", "hour"), ("kg", "kilogram"), ("feet", "foot"), ("us dollars", "usd"), ("kayaks", "kayak"), ("%", "%")],
)
def test_one_spelling_each(text, unit):
    assert unit_of(text) == unit


@pytest.mark.parametrize("text", ["more", "or so", "red kayaks", "th"])
def test_no_units(text):
    assert unit_of(text) is None


@pytest.mark.parametrize(
    ("word", "single"),
    [("cities", "city"), ("boxes", "box"), ("dishes", "dish"), ("glass", "glass"), ("bus", "bus"), ("days", "day")],
)
def test_singular(word, single):
    assert singular(word) == single
