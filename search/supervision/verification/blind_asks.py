"""What the blind reader is asked: sources in an order by chance, some left out or put in."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from designsearch.search.supervision.contracts import BlindAsk, Draft, Reader, Reading, Source


def blind_ask(draft: Draft, sources: Iterable[Source], salt: str) -> BlindAsk:
    """The draft's question over some sources.

    Args:
        draft: only its question, answer type and time of asking go in.
        sources: what the reader sees; their order is by chance, out of the bundle's own seed.
        salt: tells apart the asks of one draft, whose orders are independent.
    """
    shown = list(sources)
    # no secret is made here: the same draft has to be read in the same order every time
    random.Random(f"{draft.material.seed}/{draft.material.ordinal}/{salt}").shuffle(shown)  # noqa: S311
    return BlindAsk(draft.question, draft.plan.answer_type, tuple(shown), draft.as_of)


def readings(asks: Sequence[BlindAsk], reader: Reader) -> list[Reading]:
    """All asks at once; one without any source is not answerable and costs nothing.

    Raises:
        OutOfBudgetError, CannotContinueError: as the reader.
    """
    worth = [i for i, ask in enumerate(asks) if any(source.text.strip() for source in ask.sources)]
    found = [Reading()] * len(asks)
    if worth:
        for i, reading in zip(worth, reader.read([asks[i] for i in worth]), strict=True):
            found[i] = reading
    return found
