import pytest

from designsearch.runtime.models.offline.items import items_in


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "I enjoy pottery, camping with the kids, painting and swimming a lot.",
            ["pottery", "camping", "painting", "swimming"],
        ),
        ("We took poetry and creative writing.", ["poetry", "creative writing"]),
        ("- alpha\n- beta things\n1. gamma", ["alpha", "beta things", "gamma"]),
        ("I bought apples, pears, plums.", ["apples", "pears", "plums"]),
        ("Nothing to list here.", []),
        ("", []),
    ],
)
def test_entries_of_enumerations(text, items):
    assert [text[start:end] for start, end in items_in(text)] == items
