from decimal import Decimal

import pytest

from designsearch.runtime.models.offline.amounts import amounts_in, number_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", Decimal(1234)),
        ("-5", Decimal(-5)),
        ("twenty-one", Decimal(21)),
        ("two hundred", Decimal(200)),
        ("a dozen", Decimal(12)),
        ("half a dozen", Decimal(6)),
        ("2.5 million", Decimal(2500000)),
        ("a couple", Decimal(2)),
        ("thrice", Decimal(3)),
        ("about 5", None),
        ("many", None),
        ("", None),
    ],
)
def test_the_number_that_a_text_says(text, number):
    assert number_of(text) == number


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("0.50 and -0", [("0.5", ""), ("0", "")]),
        ("£3 or 4 pounds", [("3", "gbp"), ("4", "lb")]),
        ("seven years, one week", [("7", "year"), ("1", "week")]),
        ("50% of 12 pages", [("50", "%"), ("12", "page")]),
        ("v1.2.3 of x9", []),
        ("one by one", []),
    ],
)
def test_amounts_with_their_units(text, amounts):
    assert [(value, unit) for _, _, _, value, unit in amounts_in(text)] == amounts


def test_digits_beyond_any_amount_are_no_number():
    assert list(amounts_in("7" * 2_000_000)) == []
    assert [a[3] for a in amounts_in("12345678901234567890")] == ["12345678901234567890"]
