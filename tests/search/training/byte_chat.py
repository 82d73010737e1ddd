"""A tokenizer of bytes with the chat template of Qwen3 and a tiny random model for it, made in memory."""

from __future__ import annotations

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<think>", "</think>", "<odd>"]


def tokenizer():
    """A byte is a token, and so is each special one."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen3_chat_template

    letters = pre_tokenizers.ByteLevel.alphabet()
    vocabulary = {token: n for n, token in enumerate([*SPECIAL, *sorted(letters)])}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    whole = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    whole.add_special_tokens({"additional_special_tokens": SPECIAL[1:2]})
    whole.add_tokens(SPECIAL[3:])
    whole.chat_template = qwen3_chat_template
    return whole


def shape(vocabulary, **settings):
    """The configuration of a model of one layer."""
    from transformers import Qwen3Config

    return Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=16_384,
        **settings,
    )
