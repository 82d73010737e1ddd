"""The file that says how a language model is trained: as policy, and as reward model before it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from designsearch.dsl.drafts import Drafter
from designsearch.dsl.operators import Params, Registry, param
from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.source import read_text, scan
from designsearch.search.training.objectives.dpo import BETA
from designsearch.search.training.objectives.pa_dapo import CLIP_HIGH, CLIP_LOW


class LoraShape(Params):
    """Low-rank adapters on the linear layers of a model."""

    rank: int = param(32, about="rank of each adapter", ge=1)
    alpha: int = param(64, about="scale: an adapter's output counts alpha / rank", ge=1)
    dropout: float = param(
        0.0, about="share of an adapter's inputs left out in training; with more than 0 ratios are noisy", ge=0, lt=1
    )
    layers: list[str] | None = param(
        None, about="names of the linear layers with an adapter; all but the head where none is named"
    )


class RolloutShape(Params):
    """How episodes are sampled."""

    episodes: int = param(8, about="episodes of each question", ge=2)
    questions: int = param(8, about="questions of each update", ge=1)
    temperature: float = param(1.0, about="of the samples", gt=0, le=5)
    reply_tokens: int = param(512, about="the longest reply; one that is cut ends its episode by force", ge=8)
    at_once: int = param(16, about="replies drawn together", ge=1)


class OverlongShape(Params):
    """The soft punishment of episodes that are too long (DAPO)."""

    longest: int = param(about="tokens that the policy wrote from which the whole punishment applies", ge=1)
    buffer: int = param(about="tokens before that over which it grows", ge=1)


class UpdateShape(Params):
    """How the policy moves."""

    rate: float = param(2e-5, about="learning rate of AdamW, constant", gt=0)
    passes: int = param(1, about="steps of the optimiser on the same episodes", ge=1)
    clip_low: float = param(CLIP_LOW, about="how far below 1 a ratio may fall before it is clipped", gt=0, lt=1)
    clip_high: float = param(CLIP_HIGH, about="how far above 1 it may rise", gt=0)
    tokens_at_once: int = param(16_384, about="tokens computed together; the gradient is the same for any number", ge=1)
    gradient_limit: float = param(1.0, about="norm that a gradient is cut down to", gt=0)


class SftShape(Params):
    """First stage of the reward model: the rule's sequences."""

    epochs: int = param(2, about="times that all examples are seen", ge=0)
    rate: float = param(1e-4, about="learning rate of AdamW, constant", gt=0)
    batch: int = param(8, about="examples of each step", ge=1)


class DpoShape(Params):
    """Second stage: a better judge's sequences, preferred to the rule's."""

    epochs: int = param(1, about="times that all pairs are seen", ge=0)
    rate: float = param(2e-6, about="learning rate of AdamW, constant", gt=0)
    batch: int = param(8, about="pairs of each step", ge=1)
    beta: float = param(BETA, about="how strongly the reference holds", gt=0)


class RewardShape(Params):
    """The reward model; without it the rule rewards the steps."""

    model: str = param(about="name or folder of a causal language model", min_length=1)
    data: str | None = param(
        None, about="folder with sft.jsonl and preferences.jsonl, as policy pairs writes them, seen from this file"
    )
    lora: LoraShape = param(LoraShape(dropout=0.05), about="its adapters; DPO runs without their dropout")
    sft: SftShape = param(SftShape(), about="first stage")
    dpo: DpoShape = param(DpoShape(), about="second stage")
    tokens_at_once: int = param(16_384, about="tokens computed together", ge=1)
    at_once: int = param(8, about="episodes judged together", ge=1)


class TrainingShape(Params):
    """The whole file."""

    policy: Literal["llm"] = param(about="what is trained: llm, a language model with adapters")
    design: str = param(about="design whose stage op: policy is trained, seen from this file", min_length=1)
    model: str = param(about="name or folder of a causal language model that is made to call tools", min_length=1)
    dtype: Literal["bfloat16", "float16", "float32", "float64"] = param(
        "bfloat16", about="of the frozen weights; adapters of half precision are kept in float32"
    )
    device: str = param("auto", about="cpu, cuda, cuda:1; auto takes cuda where it is there", min_length=1)
    template: dict[str, Any] = param({}, about="further variables of the chat template")
    lora: LoraShape = param(LoraShape(), about="the policy's adapters")
    rollouts: RolloutShape = param(RolloutShape(), about="how episodes are sampled")
    update: UpdateShape = param(UpdateShape(), about="how the policy moves")
    overlong: OverlongShape | None = param(None, about="punishment of long episodes")
    epochs: int = param(1, about="times that all questions are seen", ge=1)
    evaluate_every: int = param(5, about="updates between two looks at the held-out questions", ge=1)
    seed: int = param(0, about="of the order of questions, the adapters and the samples")
    reward: RewardShape | None = param(None, about="the reward model; the rule where there is none")


@dataclass(frozen=True)
class TrainingFile:
    """A configuration as its file says it.

    Attributes:
        shape: the keys, defaults filled in.
        file: where it was read from; paths in it are seen from its folder.
    """

    shape: TrainingShape
    file: Path

    @property
    def design(self) -> Path:
        """The design's file."""
        return self.file.parent / Path(self.shape.design).expanduser()

    def model(self, written: str) -> str:
        """A model as its library is told it: a folder beside the file is resolved, a name stays a name."""
        folder = self.file.parent / Path(written).expanduser()
        return str(folder.resolve()) if folder.is_dir() else written


def read_training(path: str | Path) -> TrainingFile:
    """Read and check a configuration.

    Raises:
        InvalidFileError: with every problem and its place.
    """
    source = scan(read_text(path, kind="training"), str(path), kind="training")
    drafter = Drafter(source, Registry())
    written = drafter.part(source.value, TrainingShape, ())
    problems = [*source.problems, *drafter.problems]
    shape = drafter.build(TrainingShape, written, ()) if not problems else None
    problems = [*source.problems, *drafter.problems]
    if shape is None or problems:
        raise InvalidFileError(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    return TrainingFile(shape, Path(path))


def names_language_model(path: str | Path) -> bool:
    """Whether a file is such a configuration, and not a design; a file that cannot be read is neither."""
    try:
        return bool(scan(read_text(path), str(path)).value.get("policy") == "llm")
    except InvalidFileError:
        return False
