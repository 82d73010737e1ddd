import pytest

from designsearch.runtime.models.offline.names import names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met Ana Lopez in Porto.", ["Ana Lopez", "Porto"]),
        ("We asked Dr. Ines van der Berg at the University of Porto", ["Dr. Ines van der Berg", "University of Porto"]),
        ("Lunch was good. Soup too.", []),
        ("Porto is far. I like Porto.", ["Porto", "Porto"]),
        ("my iPhone 13 Pro fell", ["iPhone 13 Pro"]),
        ("I saw Ana's dog", ["Ana"]),
        ("Thanks, I will. On Friday in March", []),
        ("Sagrada Família and Mercat de l’Abaceria", ["Sagrada Família", "Mercat de l’Abaceria"]),
        ("", []),
    ],
)
def test_runs_of_capitalised_words(text, names):
    assert [text[start:end] for start, end in names_in(text)] == names
