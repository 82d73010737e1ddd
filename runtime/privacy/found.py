"""A piece of personal data in a text, and the words before it that say what a number is."""

from __future__ import annotations

import re
from typing import NamedTuple

BEFORE = 24
"""Characters before a number in which a word may say what it is."""

_NUMBERED = re.compile(
    r"(?:\b(?:order|invoice|receipt|ref(?:erence)?|isbn(?:-1[03])?|issn|ean|sku|ticket|case|tracking|item|part|model|"
    r"serial|version|release|build|firmware|software|driver|bios|chapter|section|article|paragraph|kapitel|abschnitt|fig(?:ure)?|table|flight|room|nr|po|rfc|booking|policy|customer|member|"
    r"artikel|bestellung|bestell|auftrag|rechnung|kunden|sendung|commande|facture|pedido|factura)"
    r"(?:[ -]?(?:no|nr|num|number|nummer|id|code|n°|número))?|\bv(?:er)?|#|§|№)[\s.:|]*(?:is\s+|ist\s+)?[#(]?\s*$",
    re.IGNORECASE,
)


class Found(NamedTuple):
    """One finding.

    Attributes:
        start, end: its characters in the text.
        value: the value in one form, however it was written: what makes two findings the same.
    """

    start: int
    end: int
    value: str


def is_numbered(text: str, start: int) -> bool:
    """Whether the words before a number say that it counts things: an order, a version, a chapter."""
    return _NUMBERED.search(text, max(0, start - BEFORE), start) is not None
