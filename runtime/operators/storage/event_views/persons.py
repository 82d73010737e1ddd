"""A sentence about oneself as others would tell it: ``I sold my kayak`` as ``Ana sold Ana's kayak``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_FIRST = {
    "i": "{}", "i'm": "{} is", "i've": "{} has", "i'd": "{} would", "i'll": "{} will", "me": "{}", "myself": "{}",
    "my": "{}'s", "mine": "{}'s", "we": "{}", "we're": "{} is", "we've": "{} has", "we'd": "{} would",
    "we'll": "{} will", "us": "{}", "our": "{}'s", "ours": "{}'s",
}  # fmt: skip
_SECOND = {
    "you": "{}", "you're": "{} is", "you've": "{} has", "you'd": "{} would", "you'll": "{} will", "yourself": "{}",
    "your": "{}'s", "yours": "{}'s",
}  # fmt: skip
_WORDS = "|".join(sorted([*_FIRST, *_SECOND], key=len, reverse=True)).replace("'", "['’]")
_PERSONS = re.compile(rf"(?<!\w)(?:{_WORDS})(?![\w'’-])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _names(who: str, other: str) -> Mapping[str, str]:
    first = {word: form.replace("{}", who) for word, form in _FIRST.items()} if who else {}
    return first | ({word: form.replace("{}", other) for word, form in _SECOND.items()} if other else {})


def told_by_others(text: str, who: str, other: str) -> str:
    """The text with the names of who speaks and of whom they speak to for their pronouns.

    Args:
        text: English; other languages have none of the words.
        who: who speaks; empty leaves the first person.
        other: to whom; empty leaves the second person.
    """
    names = _names(who, other)
    return _PERSONS.sub(lambda m: names.get(m[0].lower().replace("’", "'"), m[0]), text)
