"""A reference finds the section that it means, or none."""

from __future__ import annotations

import pytest

from designsearch.runtime.histories.headings import find_sections
from designsearch.runtime.histories.sections import read_markdown

DOCUMENT = read_markdown(
    """\
# Ridge Walk: Field Report
Ana Roth, 3 May
## Section 1: Route
over the ridge
## II. Birds
in general
### A. Owls
three
### B. Larks
none
## 3.2 Gear & Provisions (12:30-14:00)
**Provisions:** rye bread
Table 4. Weights
rope | 2
## Next steps
rest
"""
)
TITLES = ["head", "route", "birds", "owls", "larks", "gear", "next"]


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("Next steps", ["next"]),
        ("next STEPS", ["next"]),
        ("## Next steps", ["next"]),
        ("Header: ## Next steps", ["next"]),
        ("Header", ["head"]),
        ("Ridge Walk: Field Report", ["head"]),
        ("Section 1", ["route"]),
        ("Route", ["route"]),
        ("1. Route", ["route"]),
        ("II", ["birds", "owls", "larks"]),
        ("Birds", ["birds", "owls", "larks"]),
        ("B. Larks", ["larks"]),
        ("Larks", ["larks"]),
        ("3. Gear & Provisions (12:30-14:00)", ["gear"]),
        ("Gear and Provisions (12:30–14:00)", ["gear"]),
        ("Next steps: rest", ["next"]),
        ("Nxet steps", []),
        ("Table 4", ["gear"]),
        ("Provisions", ["gear"]),
        ("Insects", []),
        ("", TITLES),
    ],
)
def test_references(reference, found):
    assert [TITLES[i] for i in find_sections(DOCUMENT, reference)] == found


def test_an_empty_document_holds_nothing():
    assert find_sections(read_markdown(""), "") == ()
