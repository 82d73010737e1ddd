"""Numbers that carry their own proof: payment cards, bank accounts, and US social security numbers by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from designsearch.runtime.privacy.found import BEFORE, Found, is_numbered

_APART = " \u00a0\u2009\u202f.\u2010-\u2013-"
"""What people put between groups of digits, as a class of a regular expression: spaces, points and dashes."""

_GROUPS = ((4, 4, 4, 4, 3), (4, 4, 4, 4), (4, 4, 4, 2), (4, 6, 5), (4, 6, 4), (6, 13))


def _grouped(groups: Sequence[int]) -> str:
    """Groups of digits with one and the same separator between them."""
    first, *others = groups
    return rf"\d{{{first}}}(?P<apart>[/_{_APART}])" + r"(?P=apart)".join(rf"\d{{{n}}}" for n in others)


_CARD_FORMS = tuple(
    re.compile(rf"(?<![\w,/+.-]){form}(?![\w-]|[.,]\d)") for form in (r"\d{14,19}", *map(_grouped, _GROUPS))
)
"""How numbers of cards are written; longer ones first, as what follows a number may read as one more group of it."""
_CARDS = (
    (re.compile(r"4"), (16, 19)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"3(?:0[0-5]|[689])"), (14,)),
    (re.compile(r"6011|64[4-9]|65"), (16, 19)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16, 19)),
    (re.compile(r"62"), (16, 17, 18, 19)),
    (re.compile(r"50[0-9]|5[6-9]|6[37]"), (16, 18, 19)),
)
"""How the numbers of each brand begin (ISO/IEC 7812), and how long they are: Visa without its old form of 13 digits,
which is that of a product code; Mastercard, American Express, Diners, Discover, JCB, UnionPay, Maestro."""

_LEAST_OF_CARD = 14

_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29,
    "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
    "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
    "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20,
    "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19,
    "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29,
    "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24,
    "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
    "YE": 30,
}  # fmt: skip
"""Characters of an account number by country (ISO 13616, SWIFT's registry)."""

_IBAN = re.compile(rf"(?<![^\W_])[A-Za-z]{{2}}\d{{2}}(?=[{_APART}]?[A-Za-z0-9])")
_IS_APART = re.compile(rf"[{_APART}]")

_SSN = re.compile(r"(?<![\w.,/+-])(?!000|666|9)(\d{3})([- ])(?!00)(\d{2})\2(?!0000)(\d{4})(?![\w-]|[.,]\d)")
_BARE_SSN = re.compile(r"(?<![\w.,/+-])(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}(?![\w-]|[.,]\d)")
_SAYS_SSN = re.compile(r"(?:\bssn\b|\bsocial(?:\s+security)?\b)[^\d\n]{0,20}$", re.IGNORECASE)


def luhn(digits: str) -> bool:
    """Whether the last digit checks the others (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def cards(text: str) -> Iterator[Found]:
    """Numbers of payment cards: a known brand, its length, its grouping, and the check digit."""
    if sum(map(str.isdigit, text)) < _LEAST_OF_CARD:
        return
    for form in _CARD_FORMS:
        for found in form.finditer(text):
            digits = re.sub(r"\D", "", found[0])
            known = any(brand.match(digits) and len(digits) in lengths for brand, lengths in _CARDS)
            if known and len(set(digits)) > 1 and luhn(digits):
                yield Found(found.start(), found.end(), digits)


def ibans(text: str) -> Iterator[Found]:
    """International bank account numbers: the country's length and the check digits (ISO 7064, mod 97-10)."""
    for found in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(found[0][:2].upper())
        taken = _take(text, found.start(), length) if length is not None else None
        if taken is not None and _mod_97(taken[1]) == 1:
            yield Found(found.start(), taken[0], taken[1])


def _take(text: str, start: int, length: int) -> tuple[int, str] | None:
    """The end of that many letters and digits, with single separators between them, and what they are."""
    taken, at = "", start
    while at < len(text) and len(taken) < length:
        if text[at].isascii() and text[at].isalnum():
            taken += text[at].upper()
        elif not _IS_APART.match(text[at]) or _IS_APART.match(text[at - 1]):
            return None
        at += 1
    if len(taken) < length or (at < len(text) and text[at].isalnum()):
        return None
    return at, taken


def _mod_97(iban: str) -> int:
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97


def ssns(text: str) -> Iterator[Found]:
    """US social security numbers: 123-45-6789, and nine digits in a row where the words before say what they are."""
    for found in _SSN.finditer(text):
        says = _SAYS_SSN.search(text, max(0, found.start() - 2 * BEFORE), found.start())
        if says or (found[2] == "-" and not is_numbered(text, found.start())):
            yield Found(found.start(), found.end(), found[1] + found[3] + found[4])
    for found in _BARE_SSN.finditer(text):
        if _SAYS_SSN.search(text, max(0, found.start() - 2 * BEFORE), found.start()):
            yield Found(found.start(), found.end(), found[0])
