"""Units of measure in one spelling each, so that ``3 hrs`` and ``3 hours`` carry the same one."""

from __future__ import annotations

CURRENCIES = {
    "us$": "usd",
    "$": "usd",
    "\u20ac": "eur",
    "\u00a3": "gbp",
    "\u00a5": "jpy",
    "\u20b9": "inr",
}
"""Signs that stand before a number."""

_SPELLINGS = {
    "%": "% percent pct percentage",
    "usd": "usd dollar $",
    "eur": "eur euro \u20ac",
    "gbp": "gbp \u00a3",
    "jpy": "jpy yen \u00a5",
    "inr": "inr rupee \u20b9",
    "second": "second sec s",
    "minute": "minute min",
    "hour": "hour hr h",
    "week": "week wk",
    "month": "month mo",
    "year": "year yr",
    "kilometer": "kilometer kilometre km",
    "meter": "meter metre m",
    "centimeter": "centimeter centimetre cm",
    "millimeter": "millimeter millimetre mm",
    "mile": "mile mi",
    "foot": "foot feet ft",
    "inch": "inch",
    "kilogram": "kilogram kilo kg",
    "gram": "gram g",
    "pound": "pound lb",
    "ounce": "ounce oz",
    "liter": "liter litre l",
    "milliliter": "milliliter millilitre ml",
    "calorie": "calorie kcal cal",
    "person": "person people",
    "child": "child children",
    "man": "man men",
    "woman": "woman women",
}
_UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_PHRASES = {"per cent": "%", "us dollars": "usd", "us dollar": "usd", "pounds sterling": "gbp"}

_FUNCTION_WORDS = (
    "a about above ago almost also an and approximately around at but by few first for from if in is it less maybe "
    "minus more most nd no not of on or over per plus point rd so some st th than the to under up was with"
)
_NOT_UNITS = frozenset(_FUNCTION_WORDS.split())


def unit_of(text: str) -> str | None:
    """The unit that folded text names, singular; ``None`` where the text is no unit (``or so``, ``more``).

    Any single word that is no function word is a unit of its own: ``5 dogs`` counts dogs.
    """
    if text in _PHRASES:
        return _PHRASES[text]
    if " " in text or text in _NOT_UNITS:
        return None
    single = singular(text)
    return _UNITS.get(text) or _UNITS.get(single) or single


def singular(word: str) -> str:
    """The singular of a regular English plural; other words unchanged."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
