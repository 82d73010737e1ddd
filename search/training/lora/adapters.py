"""Models of transformers with LoRA adapters: made, saved with where training stands, and loaded again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import peft
import torch
import transformers

from designsearch.dsl.problems import UserError
from designsearch.search.training.lora.config import LoraShape

FORMAT = "designsearch lora 1"
STATE, OPTIMISER, ADAPTER = "training.json", "optimiser.pt", "adapter_config.json"


def load_base(name: str, dtype: str, device: str) -> tuple[Any, Any]:
    """A causal language model and its tokenizer, by name or folder; no code that comes with it is run.

    Raises:
        UserError: it cannot be loaded.
    """
    where = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = transformers.AutoModelForCausalLM.from_pretrained(name, dtype=getattr(torch, dtype))
        return model.to(where), tokenizer
    except (OSError, ValueError, RuntimeError) as error:
        first = str(error).strip().split("\n")[0]
        raise UserError(f"the model {name} cannot be loaded: {first}") from None


def adapted(base: Any, lora: LoraShape, seed: int = 0) -> Any:
    """A base model with fresh adapters, which change nothing yet; only they learn.

    Raises:
        UserError: it has no linear layers of the names given.
    """
    torch.manual_seed(seed)
    shape = peft.LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.layers or "all-linear",
        task_type="CAUSAL_LM",
    )
    try:
        model = peft.get_peft_model(base, shape)
    except ValueError as error:
        raise UserError(f"lora.layers: {str(error).splitlines()[0]}") from None
    return model if model.device.type == "cpu" else checkpointed(model)


def checkpointed(model: Any) -> Any:
    """The same model, which keeps the input of each layer alone in training and computes the rest again.

    Activations of long prompts do not fit on a card otherwise.
    """
    model.gradient_checkpointing_enable({"use_reentrant": False})
    model.enable_input_require_grads()
    return model


def learning(model: Any) -> list[Any]:
    """The parameters that learn."""
    return [weights for weights in model.parameters() if weights.requires_grad]


@contextmanager
def without_dropout(model: Any) -> Iterator[None]:
    """Leave out no inputs, for losses that compare with log-probabilities taken without dropout."""
    layers = [layer for layer in model.modules() if isinstance(layer, torch.nn.Dropout)]
    rates = [layer.p for layer in layers]
    for layer in layers:
        layer.p = 0.0
    try:
        yield
    finally:
        for layer, rate in zip(layers, rates, strict=True):
            layer.p = rate


def save(model: Any, folder: Path, state: dict[str, Any], optimiser: Any = None) -> None:
    """Write the adapters and where training stands; the base model is named, not copied.

    Args:
        model: with adapters.
        folder: is made where it is missing.
        state: plain JSON about where training stands.
        optimiser: of torch, to go on from; left out of what is only to be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(str(folder))
    if optimiser is not None:
        torch.save(optimiser.state_dict(), folder / OPTIMISER)
    (folder / STATE).write_text(json.dumps({"format": FORMAT, **state}, indent=2) + "\n", encoding="utf-8")


def load(model: Any, folder: Path, optimiser: Any = None) -> dict[str, Any]:
    """Put saved adapters into a model that has adapters of the same shape.

    Args:
        model: with adapters.
        folder: as :func:`save` wrote it.
        optimiser: gets its state back too, where one is given.

    Returns:
        What was written about where training stands.

    Raises:
        UserError: the folder holds no such adapters, or adapters of another shape.
    """
    try:
        state = json.loads((folder / STATE).read_text(encoding="utf-8"))
        weights = peft.utils.load_peft_weights(str(folder), device="cpu")
        moments = torch.load(folder / OPTIMISER, weights_only=True) if optimiser is not None else None
    except (OSError, ValueError) as error:
        raise UserError(f"{folder}: holds no checkpoint that can be read: {str(error).splitlines()[0]}") from None
    if not isinstance(state, dict) or state.pop("format", None) != FORMAT:
        raise UserError(f"{folder / STATE}: its format is not {FORMAT!r}")
    own = peft.get_peft_model_state_dict(model)
    shapes = [{name: tuple(array.shape) for name, array in held.items()} for held in (own, weights)]
    if shapes[0] != shapes[1]:
        raise UserError(f"{folder}: its adapters do not fit this model and lora: train with the settings they have")
    peft.set_peft_model_state_dict(model, weights)
    if optimiser is not None:
        optimiser.load_state_dict(moments)
    return state
