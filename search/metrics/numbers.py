"""Numbers as people write them: ``1,234``, ``$12.85``, ``44,90 €``, ``twenty-one``, ``50 percent``, ``3 days``."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from designsearch.search.metrics.fold import fold_line
from designsearch.search.metrics.units import CURRENCIES, unit_of

_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_MULTIPLES_OF_TEN = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = tuple(_BELOW_TWENTY.split())
_TENS = tuple(_MULTIPLES_OF_TEN.split())
SMALL = {word: value for value, word in enumerate(_ONES)} | {word: 10 * i for i, word in enumerate(_TENS, start=2)}
"""The number words below a hundred that are one word."""

_MOST_IN_WORDS = 10**100
"""Beyond it words such as ``hundred hundred hundred`` are no number."""

_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_LARGEST_EXPONENT = 50

_GROUPED = r"\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,3}(?:\s\d{3})+|\d+"
_NUMBER = re.compile(
    rf"""
    (?P<sign>[-+]\s?)?
    (?P<currency>{"|".join(re.escape(c) for c in CURRENCIES)})?\s?
    (?P<inner>[-+])?
    (?P<digits>(?:{_GROUPED})(?:\.\d+)?|\.\d+)(?P<exponent>e[-+]?\d+)?
    (?:\s?(?P<scale>hundred|thousand|million|billion|dozen)\b)?
    \s?(?P<unit>[%{"".join(c for c in CURRENCIES if len(c) == 1)}]|[^\W\d_]+(?:\s[^\W\d_]+)?)?
    """,
    re.VERBOSE,
)

_CONTINENTAL = re.compile(
    r"(?P<before>€\s?)?(?P<digits>[-+]?(?:\d{1,3}(?:[.\s]\d{3})+(?:,\d{1,2})?|\d+,\d{1,2}))(?P<after>\s?(?:€|eur|euros?))?"
)
"""As the continent of Europe writes money; without a currency a dot is a decimal point."""


class Number(NamedTuple):
    """A number in canonical form.

    Attributes:
        value: plain decimal digits, no exponent, no trailing zeros, ``0`` for a negative zero.
        unit: singular and unabbreviated (``day``, ``usd``, ``%``); ``None`` where none is given.
    """

    value: str
    unit: str | None


def parse_number(value: object) -> Number | None:
    """The number that the whole of ``value`` is, else ``None`` (``about 5`` and ``30-60`` are not one number)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _number(str(value), None)
    if not isinstance(value, str):
        return None
    text = _with_point(fold_line(value))
    return _from_digits(text) or _from_words(text)


def plain(digits: str) -> str | None:
    """Canonical decimal digits of a number in digits, grouping removed; ``None`` for what is no finite number."""
    try:
        number = Decimal(digits.replace(",", "").replace(" ", ""))
    except ArithmeticError:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        return None
    return "0" if not number else _strip_zeros(f"{number:f}")


def spell(number: int) -> str:
    """The words of a whole number from 0 to 99, separated by a space."""
    if number < len(_ONES):
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f" {_ONES[ones]}" if ones else "")


def _with_point(text: str) -> str:
    """A number of euros with a decimal comma, or with dots between thousands, as English writes it."""
    match = _CONTINENTAL.fullmatch(text)
    if match is None or not (match["before"] or match["after"]):
        return text
    digits = re.sub(r"[.\s]", "", match["digits"]).replace(",", ".")
    return f"{match['before'] or ''}{digits}{match['after'] or ''}"


def _strip_zeros(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _number(digits: str, unit: str | None) -> Number | None:
    value = plain(digits)
    return None if value is None else Number(value, unit)


def _from_digits(text: str) -> Number | None:
    match = _NUMBER.fullmatch(text)
    if match is None or (match["sign"] and match["inner"]):
        return None
    unit = CURRENCIES.get(match["currency"] or "")
    if match["unit"]:
        named = _unit(match["unit"])
        if named is None or (unit is not None and named != unit):
            return None
        unit = named
    value = plain((match["sign"] or "").strip() + (match["inner"] or "") + match["digits"] + (match["exponent"] or ""))
    if value is None:
        return None
    return _number(str(Decimal(value) * _SCALES[match["scale"]]) if match["scale"] else value, unit)


def _from_words(text: str) -> Number | None:
    words = text.replace("-", " ").split()
    sign = ""
    if words and words[0] in {"minus", "negative"}:
        sign, words = "-", words[1:]
    # the longest run of number words first: `two hundred days` is 200 with a unit, never 2 with the unit `hundred days`
    for end in range(len(words), max(len(words) - 3, 0), -1):
        value = _value(words[:end])
        if value is not None:
            unit = _unit(" ".join(words[end:])) if end < len(words) else None
            return None if end < len(words) and unit is None else _number(f"{sign}{value}", unit)
    return None


def _unit(text: str) -> str | None:
    return None if text in SMALL or text in _SCALES else unit_of(text)


def _value(words: list[str]) -> int | None:
    """The whole number that the words say, as in ``two thousand three hundred and five``."""
    if words[0] in {"a", "an"} and words[1:2] and words[1] in _SCALES:
        words = ["one", *words[1:]]
    total, group, last = 0, None, ""
    for word in words:
        if word == "and" and last in _SCALES:
            continue
        if word in SMALL:
            if not _may_follow(SMALL[word], last):
                return None
            group = (group or 0) + SMALL[word]
        elif word in _SCALES and group:
            group *= _SCALES[word]
            if _SCALES[word] >= 1_000:
                total, group = total + group, 0
        else:
            return None
        if total + (group or 0) > _MOST_IN_WORDS:
            return None
        last = word
    return None if group is None or last in {"", "and"} else total + group


def _may_follow(value: int, last: str) -> bool:
    """Whether a small number may stand after ``last``: ``twenty one`` and ``hundred five`` do, ``one two`` does not."""
    return last in {"", *_SCALES} or (last in _TENS and 0 < value < 10)
