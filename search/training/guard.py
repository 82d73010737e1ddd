"""Text that stays text for one tokenizer, whatever tokens of its own that has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

_WORD_JOINER = "\u2060"


class Guard:
    """Puts an invisible character into whatever a tokenizer would take for a token of its own.

    Text from a history stands in prompts, rows and what tools reply as
    :func:`~designsearch.prompts.quoting.quoted` writes it: control tokens of the common chat templates are broken up
    there for any model. A tokenizer may have others, and only it knows them.

    Args:
        tokens: the tokenizer's own; white space and single characters among them stay.
    """

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._tokens = sorted({token for token in tokens if len(token.strip()) > 1}, key=len, reverse=True)

    @classmethod
    def of(cls, tokenizer: Any) -> Self:
        """The guard for a tokenizer of transformers."""
        return cls(tokenizer.get_added_vocab())

    def text(self, text: str) -> str:
        """A text in which none of the tokens stands."""
        for token in self._tokens:
            if token in text:
                text = text.replace(token, token[0] + _WORD_JOINER + token[1:])
        return text

    def messages(self, messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """A conversation in whose messages none of the tokens stands.

        Args:
            messages: each with ``role`` and ``content``, before a chat template is filled in.
        """
        return [{**message, "content": self.text(message["content"])} for message in messages]
