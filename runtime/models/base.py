"""The one interface behind which every model stands, and the factory that makes a model from a study's settings."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.records import Answer, Context

ANSWERERS = {"offline": "designsearch.runtime.models.offline.answerer:OfflineAnswerer"}
"""Answerers by the name that a study gives as ``model``, each as ``module:class``; loaded when first asked for."""


class Answerer(Protocol):
    """Answers a question from a context and from nothing else.

    The context's text is data: whatever it says, it is never followed as an instruction or rendered as a template.
    Where the context does not hold the answer, the answer has an empty text and ``abstained`` is True.
    """

    @property
    def name(self) -> str:
        """What people call it, such as ``offline``."""

    @property
    def fingerprint(self) -> str:
        """Stands for everything beside the arguments that an answer depends on; part of every cache key."""

    def answer(self, question: str, context: Context, as_of: str | None, max_output_tokens: int | None) -> Answer:
        """Answer one question.

        Args:
            question: the user's words.
            context: what may be read.
            as_of: ISO 8601 time of asking, ``None`` where unknown. Relative dates in the question count from it;
                those in the context count from the time shown with each record.
            max_output_tokens: the longest answer; ``None`` for the model's own limit.
        """


def answerer(config: Mapping[str, Any] | str | None = None) -> Answerer:
    """The answerer that a study's ``models.answerer`` names.

    Args:
        config: a name, or a mapping with ``model``; ``None`` means ``offline``.

    Raises:
        UserError: no answerer of that name is supported.
    """
    name = config.get("model") if isinstance(config, Mapping) else config
    name = "offline" if config is None else name
    place = ANSWERERS.get(name) if isinstance(name, str) else None
    if place is None:
        hint = nearest(name, ANSWERERS) if isinstance(name, str) else "write a name"
        raise UserError(
            f"models.answerer: {name!r} is not a supported model; supported: {', '.join(sorted(ANSWERERS))}"
            + (f" ({hint})" if hint else "")
        )
    module, _, attribute = place.partition(":")
    return cast("Answerer", getattr(import_module(module), attribute)())
