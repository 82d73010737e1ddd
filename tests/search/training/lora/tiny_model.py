"""A two-layer model with random weights and a vocabulary of some words and whole tool calls, made in memory."""

from __future__ import annotations

import json

import torch
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

from designsearch.search.training.lora.adapters import adapted
from designsearch.search.training.lora.chat import Chat
from designsearch.search.training.lora.config import LoraShape
from designsearch.search.training.lora.utterances import Utterance

TEMPLATE = (
    "{% for tool in tools or [] %}{{ tool.function.name }} {% endfor %}"
    "{% for message in messages %}<|im_start|>{{ message.role }} {{ message.content }}<|im_end|>{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant {% endif %}"
)
WORDS = "ferry rent dog Texel May yes no notes search_memory_units answer_from_notes add_note skip_extraction".split()
END = "<|im_end|>"


def call(name, **arguments):
    """A call as the model writes it."""
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def note(event):
    return call("add_note", event_id=event, datetime="", content="noted", evidence_turns=[1])


SEARCHES = [call("search_memory_units", query=query) for query in ("ferry Texel", "rent euros")]
NOTES = [note(f"E{unit}") for unit in (0, 4)]
SKIP, STOP = call("skip_extraction", reason="none"), call("answer_from_notes")
CALLS = [*SEARCHES, *NOTES, SKIP, STOP]


def tokenizer(template=TEMPLATE):
    """Words, and calls that are one token each."""
    made = Tokenizer(WordLevel({word: i for i, word in enumerate(["<unk>", *WORDS])}, unk_token="<unk>"))
    made.pre_tokenizer = Whitespace()
    made.add_tokens([AddedToken(text, special=False, normalized=False) for text in CALLS])
    found = PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<unk>", eos_token=END)
    found.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    found.chat_template = template
    return found


def chat():
    return Chat(tokenizer())


def base(seed=0, vocabulary=None):
    """The model without adapters, in double precision."""
    torch.manual_seed(seed)
    shape = Qwen2Config(
        vocab_size=vocabulary or len(tokenizer()),
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=4096,
        initializer_range=0.3,  # large enough that a reply can be all but certain
    )
    return Qwen2ForCausalLM(shape).to(torch.float64)


def model(seed=0, *, moved=0.1, **lora):
    """With adapters in double precision; moved away from where they change nothing, so that all have gradients."""
    made = adapted(base(seed), LoraShape(**{"rank": 4, "alpha": 8, **lora}), seed).to(torch.float64)
    if moved:
        chance = torch.Generator().manual_seed(seed + 1)
        with torch.no_grad():
            for weights in made.parameters():
                if weights.requires_grad:
                    weights += moved * torch.randn(weights.shape, generator=chance, dtype=weights.dtype)
    return made.eval()


def utterances(count, seed=0):
    """Prompts and replies of random ids and different lengths."""
    chance = torch.Generator().manual_seed(seed)

    def ids(most):
        size = int(torch.randint(1, most, (1,), generator=chance))
        return tuple(torch.randint(0, len(tokenizer()), (size,), generator=chance).tolist())

    return [Utterance(ids(9), ids(6)) for _ in range(count)]


def gradients(made):
    """The gradients of the parameters that learn, by name."""
    return {name: weights.grad.clone() for name, weights in made.named_parameters() if weights.requires_grad}


def assert_same(one, other, tolerance=1e-6):
    assert one.keys() == other.keys()
    for name, values in one.items():
        torch.testing.assert_close(values, other[name], rtol=0, atol=tolerance, msg=name)
    assert max(float(values.abs().max()) for values in one.values()) > 1e-4, "gradients that are all 0 agree with any"
