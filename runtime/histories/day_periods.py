"""The words for the halves of the day that stand beside times of a twelve-hour clock, in many languages."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal

Half = Literal["am", "pm", "noon"]

_MORNING = (
    "a. m.|a|vorm.|vormittags|morgens|du matin|da manhã|vm.|fm|ap.|de.|dop.|dopoledne|пр.об.|дп|д.п.|πμ|öö|午前"
    "|上午|早上|凌晨|清晨|오전|새벽|ก่อนเที่ยง|sa|sáng|pg|pagi|ص|صباحًا|صباحا|ق.ظ|قبل از ظهر|قبل‌ازظهر|לפנה״צ"
    "|בבוקר|पूर्वाह्न|পূর্বাহ্ণ|পূর্বাহ্ন|म.पू.|முற்பகல்|ಪೂರ್ವಾಹ್ನ|e paradites|paradite|prije podne|пре подне"
    "|претпладне|priešpiet|priekšp.|ጥዋት|f.h."
)
_AFTERNOON = (
    "p. m.|p|nachm.|nachmittags|abends|de l’après-midi|da tarde|da noite|nm.|em|ip.|du.|odp.|odpoledne|сл.об.|пп"
    "|п.п.|μμ|ös|午後|下午|晚上|傍晚|오후|หลังเที่ยง|ch|chiều|tối|ptg|petang|م|مساءً|مساء|ب.ظ|بعد از ظهر"
    "|بعدازظهر|אחה״צ|בערב|अपराह्न|অপরাহ্ণ|অপরাহ্ন|म.उ.|பிற்பகல்|ಅಪರಾಹ್ನ|e pasdites|pasdite|poslije podne"
    "|по подне|попладне|popiet|pēcp.|ከሰዓት|e.h."
)
_NOON = "中午|正午|정오"
_CLOCK_WORDS = (
    "klo|kl.|um|uhr|at|à|alle|alle ore|ore|a las|a la|as|às|h|г.|в|u|ob|o|pukul|jam|lúc|ساعت|الساعة|saat|日|일"
)


def _plain(words: str) -> str:
    """The letters of a word alone, in small ones: dots, spaces and invisible marks make no difference."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return "".join(letter for letter in folded if unicodedata.category(letter)[0] in "LM")


_HALVES: dict[str, Half | None] = {
    **{_plain(word): None for word in _CLOCK_WORDS.split("|")},
    **{_plain(word): "am" for word in _MORNING.split("|")},
    **{_plain(word): "pm" for word in _AFTERNOON.split("|")},
    **{_plain(word): "noon" for word in _NOON.split("|")},
    "": None,
}


@lru_cache(maxsize=4096)
def half_of_day(words: str) -> tuple[Half | None, bool]:
    """The half of the day that some words name.

    Args:
        words: what stands before or behind a time; may be blank.

    Returns:
        The half, ``None`` where they name none; and whether they are understood at all.
    """
    plain = _plain(words)
    return _HALVES.get(plain), plain in _HALVES


def hour_of(hour: int, half: Half | None) -> int:
    """The hour of a 24-hour clock.

    Args:
        hour: as it is written, 0 to 23.
        half: the half of the day that stands beside it; counts for nothing where the hour is above 12.
    """
    if half is None or hour > 12:
        return hour
    if half == "noon":
        return hour if hour in (11, 12) else hour % 12 + 12
    return hour % 12 + (12 if half == "pm" else 0)
