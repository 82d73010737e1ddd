"""A synthetic history of any size; words follow Zipf's law, so that common and rare terms cost what they do in text."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import History, Record

VOCABULARY = 30_000
SYLLABLES = ("ka", "lo", "mi", "re", "tu", "san", "vel", "dor", "pin", "gra", "ho", "ne", "ste", "bri", "qua", "zi")


def vocabulary(seed: int = 0) -> list[str]:
    """Distinct made-up words."""
    chance = np.random.default_rng(seed)
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(chance.choice(SYLLABLES, size=int(chance.integers(2, 5))))] = None
    return list(made)


def texts(count: int, characters: int, seed: int = 1) -> list[str]:
    """Texts of about that many characters."""
    words = np.array(vocabulary())
    chance = np.random.default_rng(seed)
    ranks = np.arange(1, len(words) + 1)
    weights = 1.0 / ranks**1.05
    length = max(1, round(characters / 8))
    drawn = chance.choice(len(words), size=(count, length), p=weights / weights.sum())
    return [" ".join(words[row])[:characters] for row in drawn]


def history(count: int, characters: int = 200) -> History:
    """Records of one author over days, forty a session."""
    records = [
        Record(
            id=f"r{i}",
            text=text,
            time=f"{2020 + i // 20_000:04d}-{1 + i // 1_700 % 12:02d}-{1 + i // 60 % 28:02d}T09:00",
            author="ana",
            role="user",
            session=f"s{i // 40}",
            source="chat",
        )
        for i, text in enumerate(texts(count, characters))
    ]
    return fold(records, "synthetic")


def questions(count: int, seed: int = 2) -> list[str]:
    """Questions of eight words from the same vocabulary."""
    return texts(count, 64, seed)
