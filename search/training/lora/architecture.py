"""The shape of a language model, and what it takes to read with it and to train it.

Counts for dense transformers with gated MLPs and grouped queries, such as Qwen3: 2 operations a weight and token
forward, as many again backward through frozen weights, and another forward where activations are computed again
(Kaplan et al. 2020, section 2.1; Chen et al. 2016 for the latter).
"""

from __future__ import annotations

from dataclasses import dataclass

GIB = 2**30
HALF, SINGLE = 2, 4
"""Bytes of a number in half and in single precision."""

ADAM = 4 * SINGLE
"""Bytes of a weight that learns: itself, its gradient and Adam's two moments, in single precision."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """The shape of a model.

    Attributes:
        name: as its publisher calls it.
        layers, hidden, intermediate: number of layers, width, and width inside the MLP.
        heads, key_heads, head: query heads, key and value heads, and the width of one.
        vocabulary: number of tokens.
        tied: whether the head is the embedding.
        positions: tokens that it reads at most.
    """

    name: str
    layers: int
    hidden: int
    intermediate: int
    heads: int
    key_heads: int
    head: int
    vocabulary: int
    tied: bool
    positions: int

    @property
    def linear(self) -> list[tuple[int, int]]:
        """Inputs and outputs of each linear layer within a layer."""
        queries, keys = self.heads * self.head, self.key_heads * self.head
        attention = [(self.hidden, queries), (self.hidden, keys), (self.hidden, keys), (queries, self.hidden)]
        return [*attention, *[(self.hidden, self.intermediate)] * 2, (self.intermediate, self.hidden)]

    @property
    def body(self) -> int:
        """Weights of all linear layers, which every token passes through."""
        return self.layers * sum(inputs * outputs for inputs, outputs in self.linear)

    @property
    def parameters(self) -> int:
        """All weights: also embeddings and norms, among them those of queries and keys."""
        norms = self.layers * 2 * (self.hidden + self.head) + self.hidden
        return self.body + norms + self.vocabulary * self.hidden * (1 if self.tied else 2)

    def lora(self, rank: int) -> int:
        """Weights of adapters on every linear layer but the head."""
        return self.layers * rank * sum(inputs + outputs for inputs, outputs in self.linear)

    @property
    def cache(self) -> int:
        """Bytes of keys and values of one token, in half precision."""
        return self.layers * 2 * self.key_heads * self.head * HALF

    def forward(self, tokens: float, context: float) -> float:
        """Operations of some tokens forward, the head left out.

        Args:
            tokens: how many.
            context: tokens that one attends to on average: half the length where all are read at once.
        """
        return tokens * (2 * self.body + 4 * self.layers * self.heads * self.head * context)

    def activations(self, tokens: int, said: int) -> int:
        """Bytes that a backward pass holds at its peak when the input of each layer alone is kept.

        Args:
            tokens: of the sequences computed together.
            said: tokens of them whose log-probabilities are wanted; logits are computed for those alone.
        """
        kept = self.layers * self.hidden * HALF
        # within the one layer that is computed again: both norms, inputs and outputs of its linear layers, the gated
        # product; and the inputs of adapters in single precision
        inside = 4 * self.hidden + 2 * self.intermediate + sum(outputs for _, outputs in self.linear)
        adapters = sum(inputs for inputs, _ in self.linear)
        # logits in half precision, their copy and their softmax in single precision, and the gradient
        head = self.vocabulary * (HALF + 3 * SINGLE)
        return tokens * (kept + inside * HALF + adapters * SINGLE) + said * head


QWEN3_4B = Architecture("Qwen3-4B", 36, 2560, 9728, 32, 8, 128, 151_936, tied=True, positions=40_960)
QWEN3_8B = Architecture("Qwen3-8B", 36, 4096, 12_288, 32, 8, 128, 151_936, tied=False, positions=40_960)
