"""Histories and bundles for the tests of the generators by rules."""

from random import Random

from hypothesis import strategies as st
from supervision_histories import make_history

from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.materials import source_of
from designsearch.search.supervision.offline.manner import VERBATIM
from designsearch.search.supervision.offline.sketch import Making
from designsearch.search.supervision.offline.surroundings import Surroundings

ODD = (
    "{0}", "{{", "}", "{who}", "{unit}", "%s", "{0.__class__}", "\ud83d", "👩‍👩‍👧‍👦", "שלום עולם", "مرحبا", "\u202e",
    "昨日の窯", "[image: a kiln]", "https://x.example/a?b={0}", "ß", "İ", "a" * 300, "\x00", "\\N", "1 time", "３",
)  # fmt: skip
ALPHABET = st.characters(codec=None, exclude_categories=())
"""Any character, lone surrogates among them."""

WORLD = make_history(
    {"text": "The green harbour lamp was mended by Teresa Quill for 40 dollars.", "time": "2024-01-05T10:00"},
    {"text": "My narrow violin case took 3 weeks of careful polishing in Porto.", "time": "2024-02-11T10:00"},
    {"text": "Our orchard ladder broke; the walnut harvest waits.", "time": "2024-03-20T10:00"},
    {"text": 'The walnut harvest filled nine baskets, and I read "The Tin Orchard".', "time": "2024-03-20T18:00"},
    {"text": "The green harbour lamp was stolen, a new brass lamp cost 75 dollars.", "time": "2024-05-02T10:00"},
    {"text": "A lentil stew with smoked paprika simmered until 6:30 pm.", "time": "2024-06-09T10:00"},
)


def around(history=WORLD, allowed=None):
    return Surroundings(history, allowed)


def material_of(history, *rows, seed=7):
    return Material(0, tuple(source_of(history, row) for row in rows), (), seed)


def making_of(history=WORLD, rows=None, seed=7, manner=VERBATIM, careful=True, surroundings=None):
    rows = range(len(history)) if rows is None else rows
    world = surroundings or Surroundings(history)
    return Making(material_of(history, *rows, seed=seed), world, Random(seed), Random(seed + 1), manner, careful)


def all_of(kind, history=WORLD, rows=None, seeds=40, **given):
    """What a kind of question gives over some seeds, without the ``None``."""
    world = Surroundings(history)
    made = (kind(making_of(history, rows, seed, surroundings=world, **given)) for seed in range(seeds))
    return [sketch for sketch in made if sketch is not None]


def plainly(sketch):
    """The question in the record's own words."""
    said = [" + ".join(phrase.text for phrase in slot.phrases) for slot in sketch.slots]
    pieces = [piece for pair in zip(sketch.frame, [*said, ""], strict=True) for piece in pair]
    return "".join(pieces)


@st.composite
def texts(draw):
    """Sentences with odd pieces in them, or anything at all."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.text(ALPHABET, max_size=200))
    pool = [*ODD, "The", "green", "harbour", "lamp", "walnut", "Teresa", "Quill", "of", "for 40 dollars", "in Porto",
            "3 weeks", '"The Tin Orchard"', ".", "?", "\n", ",", "mended",
            "at 6:30 pm", "was", "old", "ladder"]  # fmt: skip
    return " ".join(draw(st.lists(st.sampled_from(pool), max_size=24)))


AUTHORS = ["", " ", "{0}", "Ana {who} %s", "Ana", "שרה", "\ud83d", "Ben Smith", "Ben Jones"]
TIMES = ["", "2024", "2024-02", "2024-02-03", "2024-02-03T10:00", "2024-05-06T10:00+02:00"]


@st.composite
def odd_histories(draw, least=1, most=7):
    """Histories of odd texts and names, with and without times, sessions and an assistant."""
    roles = draw(st.sampled_from([["user"], ["user", "assistant"], [""]]))
    return make_history(
        *(
            {
                "text": draw(texts()),
                "author": draw(st.sampled_from(AUTHORS)),
                "role": draw(st.sampled_from(roles)),
                "session": draw(st.sampled_from(["", "s1", "s2"])),
                "time": draw(st.sampled_from(TIMES)) or None,
            }
            for _ in range(draw(st.integers(least, most)))
        )
    )
