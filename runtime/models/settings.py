"""How a study names its models: one entry a role, each declared once for the schema, validation and the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

from designsearch.dsl.operators import Params, param

Role = Literal["answerer", "judge", "proposer", "planner", "reviewer", "reader", "helper", "embedder"]

ROLES: tuple[Role, ...] = get_args(Role)
"""What models do in a study."""

OFFLINE = "offline"
"""The name of rules that need no model; every role plays it unless another model is named."""

LOCAL = "local"
"""The name of a GGUF file that runs on this machine, through the extra ``[local]``."""

SENTENCE_TRANSFORMERS = "sentence-transformers"
"""Prefix of an embedder out of that library: ``sentence-transformers/NAME`` or ``sentence-transformers/./FOLDER``."""


class Price(Params):
    """What a model's tokens cost, in US dollars a million."""

    input: float = param(0.0, about="US dollars for a million tokens read.", ge=0)
    output: float = param(0.0, about="US dollars for a million tokens written.", ge=0)


class ModelSettings(Params):
    """One model: what it is called, where it answers, and how it is asked; a path is relative to the file it is in."""

    model: str = param(
        about="Its name at the server; local for a GGUF file on this machine; offline for rules.", min_length=1
    )
    base_url: str | None = param(
        None, about="An OpenAI-compatible server, as in http://127.0.0.1:8080/v1; OpenAI's own where none is named."
    )
    api_key_env: str | None = param(None, about="The environment variable that holds the key; never the key itself.")
    price: Price | None = param(None, about="What its tokens cost; needed where the budget is in US dollars.")
    temperature: float = param(0.0, about="0 for the likeliest reply each time.", ge=0, le=2)
    max_output_tokens: int = param(1024, about="The longest reply, where a prompt or a design asks for none.", ge=1)
    replicates: int = param(1, about="Times that each question is asked; more than 1 where replies vary.", ge=1, le=32)
    concurrency: int = param(8, about="Calls in flight at once.", ge=1, le=1024)
    requests_per_minute: float | None = param(None, about="The most calls begun in a minute.", gt=0)
    timeout: float = param(120.0, about="Seconds until a call is given up.", gt=0)
    retries: int = param(4, about="Further tries after a call that failed for a passing reason.", ge=0, le=20)
    longest_wait: float = param(
        60.0, about="Seconds that a server may ask to be waited for; beyond it the work stops, to be resumed.", ge=0
    )
    structured: Literal["auto", "json_schema", "json_object", "prompt"] = param(
        "auto", about="How JSON is asked for; auto finds out what the server can."
    )
    tools: Literal["auto", "native", "json"] = param(
        "auto", about="How tool calls are asked for; json writes them as constrained JSON; auto finds out."
    )
    reasoning_as_answer: bool = param(
        False, about="Whether reasoning counts as the reply of a model that wrote nothing else."
    )
    send: dict[str, Any] = param({}, about="Further fields of every call, for options that one server has.")
    file: str | None = param(None, about="local: the GGUF file; the bundled model where none is named.")
    threads: int = param(1, about="local: threads; more are slower on a busy machine.", ge=1, le=256)
    context_tokens: int = param(4096, about="local, embedder: the most tokens that it reads at once.", ge=256)
    dimensions: int | None = param(None, about="embedder: length of the vectors, where it can vary.", ge=1)

    def beside(self, folder: Path) -> ModelSettings:
        """The same with its paths, which are relative to a folder, resolved."""
        changed = {}
        if self.file is not None:
            changed["file"] = str(folder / Path(self.file).expanduser())
        library, _, named = self.model.partition("/")
        if library == SENTENCE_TRANSFORMERS and is_folder(named):
            changed["model"] = f"{library}/{(folder / Path(named).expanduser()).absolute()}"
        return self.model_copy(update=changed) if changed else self


def is_folder(named: str) -> bool:
    """Whether the name of a model is that of a folder on this machine, by how it begins."""
    return named.startswith((".", "/", "~"))
