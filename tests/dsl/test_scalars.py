import pytest

from designsearch.dsl.scalars import AmbiguousScalarError, plain_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("5", 5),
        ("-3", -3),
        ("+5", 5),
        ("0", 0),
        ("1e-3", 0.001),
        ("1.5e0", 1.5),
        ("2e3", 2000.0),
        ("2E3", 2000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-0.0", 0.0),
    ],
)
def test_values(text, value):
    found = plain_value(text)
    assert found == value
    assert type(found) is type(value)
    assert str(found) == str(value)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "yes",
        "on",
        "off",
        "y",
        "12:30",
        "2024-03-01",
        "1_000",
        "1e",
        "e3",
        "-",
        ".",
        "5k",
        "٣",
        "nan",
        "inf",
        "tRue",
    ],
)
def test_everything_else_is_text(text):
    assert plain_value(text) == text


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("~", "quote it, or write null"),
        ("Null", "quote it, or write null"),
        ("NULL", "quote it, or write null"),
        ("TRUE", "quote it, or write true"),
        ("False", "quote it, or write false"),
        (".nan", "quote it, or write a number"),
        ("-.inf", "quote it, or write a number"),
        ("010", "quote it, or write 10"),
        ("-007", "quote it, or write -7"),
        ("00.5", "quote it, or write 0.5"),
        ("0x1F", "quote it, or write 31"),
        ("0o17", "quote it, or write 15"),
        ("1e999", "write a smaller number, or quote it"),
        ("9" * 30, "write a smaller number, or quote it"),
        ("9" * 10_000, "write a smaller number, or quote it"),
        ("0" * 10_000 + "1", "quote it, or write 1.0"),
    ],
)
def test_ambiguous_spellings_are_refused(text, hint):
    with pytest.raises(AmbiguousScalarError) as error:
        plain_value(text)
    assert error.value.hint == hint
    assert len(error.value.message) < 60 or len(text) > 1000
