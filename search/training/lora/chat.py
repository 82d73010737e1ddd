"""Between messages and token ids: the chat template with its tools, and the calls in what a model wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.exchange.body import Written
from designsearch.runtime.models.exchange.json_text import without_reasoning
from designsearch.runtime.models.requests import Message, Tool
from designsearch.search.training.guard import Guard
from designsearch.search.training.lora.utterances import Utterance

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|\Z)", re.DOTALL)
"""A call as AiO-Mem (appendix G.2) and the templates of Qwen write it."""


class Chat:
    """Speaks one model's chat template.

    Args:
        tokenizer: of transformers, with a chat template that knows tools.
        options: further variables of the template, such as ``enable_thinking``.

    Attributes:
        ends: ids that end a reply.

    Raises:
        UserError: it has no such template, or no token that ends a reply.
    """

    def __init__(self, tokenizer: Any, options: Mapping[str, Any] | None = None) -> None:
        template = tokenizer.chat_template
        if not isinstance(template, str) or "tools" not in template:
            raise UserError(
                f"{tokenizer.name_or_path or 'the model'}: its tokenizer has no chat template with tools; "
                "take a model that is made to call tools"
            )
        if tokenizer.eos_token_id is None:
            raise UserError(f"{tokenizer.name_or_path or 'the model'}: its tokenizer has no token that ends a reply")
        self.ends = frozenset({int(tokenizer.eos_token_id)})
        self._tokenizer = tokenizer
        self._options = dict(options or {})
        self._guard = Guard.of(tokenizer)

    def prompt(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> tuple[int, ...]:
        """The ids of a conversation up to where the model begins to write.

        Whatever in a message looks like a token of the model's own, such as one that ends a message, gets an invisible
        character into it and stays text.
        """
        ids = self._tokenizer.apply_chat_template(
            [{"role": message.role, "content": self._guard.text(message.content)} for message in messages],
            tools=[_native(tool) for tool in tools] or None,
            add_generation_prompt=True,
            tokenize=True,
            return_dict=False,
            **self._options,
        )
        return tuple(map(int, ids))

    def example(self, messages: Sequence[Message], reply: str) -> Utterance:
        """A reply of ours that is to be learnt, with the token that ends it; tokens of the model's own count in it."""
        said = self._tokenizer(reply, add_special_tokens=False)["input_ids"]
        return Utterance(self.prompt(messages), (*map(int, said), *self.ends))

    def read(self, utterance: Utterance) -> Written:
        """What a model wrote: its text without the end, and the calls in it, thoughts left out."""
        said = [token for token in utterance.said if token not in self.ends]
        text = self._tokenizer.decode(said, skip_special_tokens=False)
        calls = tuple(_call(found) for found in _CALL.findall(without_reasoning(text)))
        return Written(content=text, finish="stop" if utterance.ended else "length", calls=calls)


def _native(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.about, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _call(text: str) -> tuple[str, Any]:
    """Name and arguments; a text that is no call has no name, which is then what is wrong with it."""
    try:
        made = json.loads(text)
    except ValueError:
        return "", text
    if not isinstance(made, dict):
        return "", text
    return str(made.get("name", "")), made.get("arguments")
