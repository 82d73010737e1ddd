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
        ("12.50 € and 89 £, not 5 €10", [("12.5", "eur"), ("89", "gbp"), ("5", ""), ("10", "eur")]),
    ],
)
def test_amounts_with_their_units(text, amounts):
    assert [(value, unit) for _, _, _, value, unit in amounts_in(text)] == amounts


@pytest.mark.parametrize(
    ("text", "euros"),
    [
        ("44,90 € again", ["44.9"]),
        ("from 980 € to 1.050 €", ["980", "1050"]),
        ("€ 2.500,00 or €7,5", ["2500", "7.5"]),
        ("1\u202f380,50 Euro", ["1380.5"]),
        ("-3,5 EUR", ["-3.5"]),
        ("1,234.50 € or 1,000 €", ["1234.5", "1000"]),
        ("1.15 euros", ["1.15"]),
    ],
)
def test_euros_are_read_as_the_continent_writes_them(text, euros):
    assert [(kind, value) for kind, *_, value, unit in amounts_in(text) if unit == "eur"] == [
        ("money", value) for value in euros
    ]


def test_without_a_currency_a_dot_is_a_decimal_point():
    assert [(value, unit) for *_, value, unit in amounts_in("1.380 km at $3.459")] == [("1.38", "km"), ("3.459", "usd")]


def test_digits_beyond_any_amount_are_no_number():
    assert list(amounts_in("7" * 2_000_000)) == []
    assert [a[3] for a in amounts_in("12345678901234567890")] == ["12345678901234567890"]
