"""How long a proposal's request may be for a model that reads little at once."""

from __future__ import annotations

from math import ceil

from designsearch.dsl.operators import Registry
from designsearch.runtime.models.prompted import bare_length
from designsearch.runtime.models.settings import LOCAL, ModelSettings
from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.proposers.llm_catalogue import catalogue
from designsearch.search.study_choices import LlmOptions

TRUSTED = 0.75
"""Part of a model's limit up to which the bundled counter is trusted: tokenizers differ."""

FAILURES = 2000
"""Tokens of a design and its failures, for which there should be room."""

LEAST = 500
"""The shortest limit that a study may give."""


def fitted(options: LlmOptions, settings: ModelSettings) -> LlmOptions:
    """The options with requests no longer than the model reads; only of a local model is it known how much that is."""
    if settings.model != LOCAL:
        return options
    room = int(TRUSTED * (settings.context_tokens - settings.max_output_tokens))
    return options.model_copy(update={"tokens": max(LEAST, min(options.tokens, room))})


def wanted_context(settings: ModelSettings, registry: Registry, *, helper: bool) -> int | None:
    """Tokens that a local model should read at once to propose; ``None`` where it reads as many, or is not local.

    Args:
        settings: of the model.
        registry: what designs may be made of, all of which a request shows.
        helper: whether operators that need a model are shown too.
    """
    if settings.model != LOCAL:
        return None
    choices = int(BundledCounter().count_all([catalogue(registry, helper=helper)])[0])
    needed = bare_length("propose/propose") + choices
    wanted = settings.max_output_tokens + ceil((needed + FAILURES) / TRUSTED)
    return None if settings.context_tokens >= wanted else 1024 * ceil(wanted / 1024)
