"""How long to wait before a call is repeated."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_DURATION = re.compile(
    r"(?:(\d{1,9}) ?h(?:ours?)?)? ?(?:(\d{1,9}) ?m(?:in(?:utes?)?)?)? ?"
    r"(?:(\d{1,9}(?:\.\d{1,9})?) ?s(?:ec(?:onds?)?)?)? ?(?:(\d{1,9}(?:\.\d{1,9})?) ?ms)?(?![a-z0-9])"
)
_ASKED_IN_WORDS = re.compile(r"\b(?:try again|retry)(?: after| in)?(?: about)? (?=\d)")

LONGEST_BACKOFF = 30.0
"""Seconds beyond which waiting by ourselves does not grow."""


def asked_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to be waited for; ``None`` where it does not say so, or nothing that makes sense.

    Args:
        headers: of the response, names in small letters.
        now: the time, where the response does not tell its own (header ``Date``).
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after", "")
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    until = _time(asked)
    if until is None:
        return None
    return max(0.0, (until - (_time(headers.get("date", "")) or now)).total_seconds())


def wait_in_words(text: str) -> float | None:
    """Seconds that an error's words ask to be waited for, as in ``Please try again in 7m12s``; else ``None``."""
    found = _ASKED_IN_WORDS.search(text.lower())
    told = _DURATION.match(text.lower(), found.end()) if found else None
    return None if told is None else _seconds(told)


def duration(text: str) -> float | None:
    """Seconds of a duration such as ``1.2s``, ``250ms``, ``7m12s`` or ``26 seconds``; ``None`` if it is none."""
    found = _DURATION.fullmatch(text.strip().lower())
    return None if found is None else _seconds(found)


def _seconds(found: re.Match[str]) -> float | None:
    if not any(found.groups()):
        return None
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds + milliseconds / 1000


def backoff(tries: int, first: float, identity: str) -> float:
    """Seconds to wait after ``tries`` failed tries: doubled each time, a quarter more or less by the call's identity.

    Calls that failed together are so repeated apart, and a run repeated waits the same.
    """
    share = zlib.crc32(f"{identity}/{tries}".encode("utf-8", "surrogatepass")) / 2**32
    return float(min(LONGEST_BACKOFF, first * 2 ** (tries - 1)) * (0.75 + share / 2))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _time(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
