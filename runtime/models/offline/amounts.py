"""Numbers in a text, in digits and in English words, with their unit: money, percentages, durations, measures.

``1.380,50`` is read as on the continent of Europe where it is in euros; elsewhere a dot is a decimal point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

AmountKind = Literal["money", "percent", "duration", "number"]
Amount = tuple[AmountKind, int, int, str, str]
"""Kind, start, end, canonical decimal number, canonical unit (empty where there is none)."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {w: i for i, w in enumerate(_ONES)} | {w: 10 * i for i, w in enumerate(_TENS, 2)} | {"dozen": 12}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_SCALES = {
    "k": 1000, "thousand": 1000, "m": 10**6, "million": 10**6, "bn": 10**9, "billion": 10**9, "hundred": 100,
}  # fmt: skip
_SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
)
_NUMBER = (
    r"(?P<digits>(?<![\w.,])[-−]?(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?!\d)(?:\.\d{1,20}(?!\d))?)(?:\s?(?P<scale>k|thousand|million|bn|billion|m)\b)?"
    rf"|\b(?P<words>{_SMALL}|(?:a|half\s+a)\s+dozen|dozen)\b(?:[\s-](?P<scale2>hundred|thousand|million|billion)\b)?"
    r"|\b(?P<a>an?\s+(?:couple(?:\s+of)?|hundred|thousand|million))\b"
    r"|\b(?P<times>once|twice|thrice)\b"
)
_CONTINENTAL = (
    r"(?P<continental>(?<![\w.,])[-−]?(?:\d{1,3}(?:[.\u00a0\u202f]\d{3}){1,6}(?:,\d{1,2})?|\d{1,20},\d{1,2})(?![.,]?\d))"
    r"(?(euro)|(?=\s?(?:€|eur(?:os?)?\b)))"
)
_CURRENCY = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr"}
_UNITS = {
    "usd": "usd dollar dollars bucks", "eur": "eur euro euros", "gbp": "gbp pound_sterling quid", "inr": "inr rupees",
    "cent": "cent cents", "%": "% percent",
    "second": "second seconds sec secs", "minute": "minute minutes min mins", "hour": "hour hours hr hrs h",
    "day": "day days", "night": "night nights", "week": "week weeks", "weekend": "weekend weekends",
    "month": "month months", "year": "year years yr yrs", "decade": "decade decades",
    "km": "km kilometer kilometers kilometre kilometres", "mile": "mile miles", "m": "meter meters metre metres",
    "cm": "cm", "mm": "mm", "ft": "foot feet ft", "inch": "inch inches", "k": "K",
    "kg": "kg kilo kilos kilogram kilograms", "g": "g gram grams", "mg": "mg", "lb": "lb lbs pound pounds",
    "ml": "ml", "l": "liter liters litre litres", "°c": "°c", "°f": "°f", "time": "time times",
    "cup": "cup cups", "point": "point points", "page": "page pages",
}  # fmt: skip
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_MONEY_UNITS = frozenset({"usd", "eur", "gbp", "inr", "cent"})
_TIME_UNITS = frozenset({"second", "minute", "hour", "day", "night", "week", "weekend", "month", "year", "decade"})
_AMOUNT = re.compile(
    rf"(?P<symbol>(?:(?P<euro>€)|[$£¥₹])\s?)?(?:{_CONTINENTAL}|{_NUMBER})"
    r"(?:\s?(?P<sign>[€£¥₹])(?!\s?\d)|[\s-]?(?P<unit>%|°[cf]\b|per\s?cent\b|[a-z]{1,11}\b))?",
    re.I,
)


def amounts_in(text: str) -> Iterator[Amount]:
    """The amounts of a text in order.

    The word ``one`` counts only before a unit, since it is mostly a pronoun.
    """
    for match in _AMOUNT.finditer(text):
        value = _value(match)
        word = (match["unit"] or "").lower().replace("per cent", "percent")
        unit = _UNIT_OF.get(word, "")
        end = match.end() if unit else _end_of_number(match)
        if match["symbol"]:
            unit, end = _CURRENCY[match["symbol"].strip()], _end_of_number(match)
        elif match["sign"]:
            unit, end = _CURRENCY[match["sign"]], match.end()
        elif match["times"]:
            unit = "time"
        if not unit and (match["words"] or "").lower() == "one":
            continue
        yield _kind(unit), match.start(), end, _canonical(value), unit


def number_of(text: str) -> Decimal | None:
    """The number that a whole text says, in digits or words; ``None`` where it says none."""
    match = _AMOUNT.fullmatch(text.strip())
    return _value(match) if match and not (match["unit"] or match["sign"]) else None


def _end_of_number(match: re.Match[str]) -> int:
    groups = ("continental", "digits", "scale", "words", "scale2", "a", "times")
    return max(match.end(group) for group in groups)


def _kind(unit: str) -> AmountKind:
    if unit in _MONEY_UNITS or unit == "jpy":
        return "money"
    if unit == "%":
        return "percent"
    return "duration" if unit in _TIME_UNITS else "number"


def _value(match: re.Match[str]) -> Decimal:
    scale = _SCALES.get((match["scale"] or match["scale2"] or "").lower(), 1)
    if match["continental"]:
        return Decimal(re.sub(r"[.\s]", "", match["continental"]).replace(",", ".").replace("−", "-"))
    if match["digits"]:
        return Decimal(match["digits"].replace(",", "").replace("−", "-")) * scale
    if match["times"]:
        return Decimal(_TIMES[match["times"].lower()])
    if match["a"]:
        word = match["a"].lower().split()[1]
        return Decimal(2 if word == "couple" else _SCALES[word])
    words = re.split(r"[\s-]+", match["words"].lower())
    if words[0] == "half":
        return Decimal(6)
    return Decimal(sum(_WORDS.get(w, 0) for w in words)) * scale


def _canonical(value: Decimal) -> str:
    """Plain digits without trailing zeros, no exponent, no minus zero."""
    shown = format(value, "f")
    shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    return "0" if shown in ("-0", "") else shown
