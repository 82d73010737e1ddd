"""What the failures of an incumbent have in common: the reading from which the rules choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median

from designsearch.runtime.episodes.fates import Fate
from designsearch.search.contracts import Failure, GoldRecord

CONTEXT = "context"
"""Where evidence is lost that was found, but for which the budget had no room."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Failures, added up. Shares are of all failures unless said otherwise.

    Attributes:
        total: number of failures.
        not_stored: share whose evidence no unit holds.
        not_retrieved: share whose evidence no stage ranked.
        stopped_early: share whose evidence a policy did not find, which had searches left.
        used_up: share whose evidence a policy did not find, which had none left; part of ``not_retrieved``.
        not_kept: share whose evidence a policy found and kept no note of.
        unshown: share whose evidence a policy found and was not shown; part of ``dropped``.
        crowded_out: share whose evidence was ranked, but the budget was full before its turn.
        dropped: share whose evidence was ranked, then dropped by a stage of the cascade.
        altered: share whose evidence was shown in other words.
        answering: share whose evidence was all shown.
        several: share that needs more than one record.
        rank: median rank of evidence that was ranked and lost; 0 where there is none.
        role: the role that most lost evidence has; empty where roles say nothing.
        role_share: share of that role among lost evidence.
        others_share: mean share of a context that other roles take up.
        words: mean length of lost evidence.
    """

    total: int
    not_stored: float
    not_retrieved: float
    stopped_early: float
    used_up: float
    not_kept: float
    unshown: float
    crowded_out: float
    dropped: float
    altered: float
    answering: float
    several: float
    rank: float
    role: str
    role_share: float
    others_share: float
    words: float

    @property
    def missed(self) -> float:
        """Share whose evidence was searched for in vain: never ranked, or ranked too low."""
        return self.not_retrieved + self.stopped_early + self.ranked_low

    @property
    def ranked_low(self) -> float:
        """Share whose evidence was ranked, but not high enough."""
        return self.crowded_out + self.dropped

    @classmethod
    def of(cls, failures: Sequence[Failure]) -> Profile:
        """Add failures up."""
        lost = [record for failure in failures for record in failure.evidence if not record.present]
        ranks = [failure.rank for failure in failures if failure.rank is not None]
        cut = [failure for failure in failures if failure.kind == "cut"]
        role, role_share = _role(lost)
        return cls(
            total=len(failures),
            not_stored=_share(failures, [f for f in failures if f.category == "storage"]),
            not_retrieved=_share(failures, [f for f in failures if f.kind == "not_retrieved"]),
            stopped_early=_share(failures, [f for f in failures if f.kind == "stopped_early"]),
            used_up=_share(failures, _lost_by(failures, "search")),
            not_kept=_share(failures, [f for f in failures if f.kind == "not_kept"]),
            unshown=_share(failures, _lost_by(failures, "observation_tokens")),
            crowded_out=_share(failures, [f for f in cut if f.lost_at in ("", CONTEXT)]),
            dropped=_share(failures, [f for f in cut if f.lost_at not in ("", CONTEXT)]),
            altered=_share(failures, [f for f in failures if f.kind == "altered"]),
            answering=_share(failures, [f for f in failures if f.category == "answering"]),
            several=_share(failures, [f for f in failures if len(f.evidence) > 1]),
            rank=float(median(ranks)) if ranks else 0.0,
            role=role,
            role_share=role_share,
            others_share=_others(failures, role),
            words=mean(len(record.text.split()) for record in lost) if lost else 0.0,
        )


def _lost_by(failures: Sequence[Failure], fate: Fate) -> list[Failure]:
    """Those whose evidence that part of a policy lost."""
    return [failure for failure in failures if failure.lost_at.endswith(f".{fate}")]


def _share(all_: Sequence[Failure], some: Sequence[Failure]) -> float:
    return len(some) / len(all_) if all_ else 0.0


def _role(lost: Sequence[GoldRecord]) -> tuple[str, float]:
    counts = Counter(record.role for record in lost)
    if not counts:
        return "", 0.0
    role, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return role, count / len(lost)


def _others(failures: Iterable[Failure], role: str) -> float:
    """Only roles that are known count: a document without one may always be shown."""
    shares = [sum(share for other, share in f.context_roles.items() if other not in (role, "")) for f in failures]
    return mean(shares) if shares else 0.0
