"""What a role's model is called and what stands for its replies."""

from __future__ import annotations

from designsearch.dsl.problems import UserError
from designsearch.runtime.cache import content_key
from designsearch.runtime.models.settings import LOCAL, OFFLINE, SENTENCE_TRANSFORMERS, ModelSettings

CHAT = ("temperature", "max_output_tokens", "structured", "tools", "reasoning_as_answer", "send")
EMBED = ("dimensions", "send", "context_tokens")
"""Settings that change what comes back; not those that say how often, how fast or for how much."""


def kind_of(settings: ModelSettings | None) -> str:
    """``offline``, ``local``, ``sentence-transformers`` or ``server``."""
    if settings is None or settings.model == OFFLINE:
        return OFFLINE
    if settings.model == LOCAL:
        return LOCAL
    return SENTENCE_TRANSFORMERS if settings.model.startswith(f"{SENTENCE_TRANSFORMERS}/") else "server"


def fingerprint_of(role: str, settings: ModelSettings, where: str) -> str:
    """The model's name with a hash of where it answers and of the settings that change its replies.

    Args:
        role: the role.
        settings: of the role.
        where: the server's address, or what stands for the file.
    """
    fields = EMBED if role == "embedder" else CHAT
    parts = {name: getattr(settings, name) for name in fields}
    if settings.model == LOCAL:
        parts["context_tokens"] = settings.context_tokens
    return f"{settings.model}#{content_key(settings.model, where, parts)[:12]}"


def check_kind(role: str, settings: ModelSettings) -> None:
    """Refuse what cannot be meant.

    Raises:
        UserError: a local model with an address, a file without a local model, or a library of embedders elsewhere.
    """
    kind = kind_of(settings)
    if kind == LOCAL and settings.base_url is not None:
        raise UserError(
            f"models.{role}: {LOCAL} runs on this machine and takes no base_url; leave it out, or write the name that "
            f"the model has at {settings.base_url}"
        )
    if kind == "server" and settings.file is not None:
        raise UserError(f"models.{role}.file: only model: {LOCAL} reads a file, and the model is {settings.model}")
    if kind == SENTENCE_TRANSFORMERS and role != "embedder":
        raise UserError(f"models.{role}: {settings.model} makes vectors; only models.embedder can be one")
