"""What a model wrote may hold what a source says, in other words."""

import pytest

from designsearch.search.metrics.holding import holds

SOURCE = "I bought a red kayak for $1,200 on 5 May 2023, and I love paddling it!"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (SOURCE, True),
        ("On 2023-05-05 Ana bought a red kayak for 1200 dollars; she loves to paddle it.", True),
        ("On 2023-05-05 Ana bought a kayak for 1200 dollars; she loves to paddle it.", True),  # 4 of 5 words
        ("On 2023-05-05 Ana bought a kayak for 1200 dollars; she loves it.", False),
        ("In May 2023 Ana bought a red kayak for 1200 dollars; she loves paddling it.", False),
        ("On 2023-05-05 Ana bought a red kayak for 1300 dollars; she loves paddling it.", False),
        ("bought red kayak paddling love", False),
        ("", False),
    ],
)
def test_most_content_words_and_every_number_and_date(written, expected):
    assert holds(written, SOURCE) is expected


def test_numbers_in_words_count():
    assert holds("She has two cats.", "I have 2 cats")
    assert not holds("She has three cats.", "I have two cats")


def test_scripts_without_spaces():
    assert holds("\u5979\u559c\u6b22\u7eff\u8336", "\u559c\u6b22\u7eff\u8336")
    assert not holds("\u5979\u8ba8\u538c\u5496\u5561", "\u559c\u6b22\u7eff\u8336")


@pytest.mark.parametrize("source", ["", " !? "])
def test_a_source_that_says_nothing_is_held_by_anything(source):
    assert holds("", source)
