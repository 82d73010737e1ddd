"""A GGUF file that runs on this machine, through the extra ``[local]``: a server of llama.cpp inside the process.

Roles whose settings agree share a server. It listens on this machine alone, at a port that the system picks, and
prints nothing. Embeddings need a server of their own.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.dsl.regular_file import open_file
from designsearch.runtime.models.serving import extras
from designsearch.runtime.models.settings import LOCAL, ModelSettings

HOST = "127.0.0.1"
MAGIC = b"GGUF"
MOST_PARALLEL = 4
"""Conversations that the server holds at once; more share the same cores."""

PART = 1 << 20
"""Bytes at the head and the tail of a file that stand for its content."""


def model_file(role: str, settings: ModelSettings) -> Path:
    """The GGUF file of a role.

    Raises:
        UserError: the library or the file is missing, or it is no GGUF file.
    """
    if not extras.installed(extras.LOCAL_LIBRARY):
        raise UserError(
            f"models.{role}: {LOCAL} needs {extras.LOCAL_LIBRARY}, which is not installed: {extras.LOCAL_INSTALL}"
        )
    if settings.file is None:
        bundled = extras.bundled_model()
        if bundled is None:
            raise UserError(
                f"models.{role}: {LOCAL} without a file is the bundled model, which is not installed: "
                f"{extras.BUNDLE_INSTALL}"
            )
        return bundled
    path = Path(settings.file).expanduser()
    try:
        with open_file(path) as file:
            found = file.read(len(MAGIC))
    except OSError as error:
        raise UserError(f"models.{role}.file: {path} cannot be read ({(error.strerror or '').lower()})") from None
    if found != MAGIC:
        raise UserError(f"models.{role}.file: {path} is no GGUF file")
    return path


def file_fingerprint(path: Path) -> str:
    """Name, size and a hash of the file's head and tail."""
    size = path.stat().st_size
    digest = hashlib.blake2b(digest_size=8)
    with path.open("rb") as file:
        digest.update(file.read(PART))
        file.seek(max(0, size - PART))
        digest.update(file.read(PART))
    return f"{path.name} {size} {digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """One server as it is to be run.

    Attributes:
        file: the GGUF file.
        embedding: whether it makes vectors.
        parallel: conversations at once.
        context_tokens: the longest of them.
        threads: of the processor.
    """

    file: Path
    embedding: bool
    parallel: int
    context_tokens: int
    threads: int

    @classmethod
    def of(cls, file: Path, embedding: bool, settings: Iterable[ModelSettings], concurrency: int) -> LocalPlan:
        """The server that serves several roles: the longest of their contexts and the most of their threads."""
        every = list(settings)
        return cls(
            file.resolve(),
            embedding,
            min(concurrency, MOST_PARALLEL),
            max(one.context_tokens for one in every),
            max(one.threads for one in every),
        )


class LocalServer:
    """A running server; open one with :func:`start`.

    Attributes:
        url: its address for OpenAI's protocol.
    """

    def __init__(self, plan: LocalPlan, role: str) -> None:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(plan.file)
        params.model_alias = {LOCAL}
        params.hostnames = [HOST]
        params.port = 0
        params.n_parallel = plan.parallel
        params.n_ctx = plan.parallel * plan.context_tokens  # llama.cpp divides it among the conversations
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = plan.threads
        params.cache_ram_mib = 0
        params.verbosity = -1
        params.ui = False
        if plan.embedding:
            params.embedding = True
            params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
            params.n_batch = params.n_ubatch = plan.context_tokens  # a text's vector is made in one pass
        try:
            self._server: Any = xllamacpp.Server(params)
        except RuntimeError as error:
            raise UserError(
                f"models.{role}.file: llama.cpp cannot run {plan.file} ({error}); is it a whole GGUF model, and is "
                "there enough memory?"
            ) from None
        self.url = f"{self._server.listening_address}/v1"

    def stop(self) -> None:
        """Close the port and give the memory back."""
        self._server = None
        gc.collect()


_lock = Lock()
_running: dict[LocalPlan, tuple[LocalServer, int]] = {}
"""The servers of this process, each with the number of those who use it."""


def start(plan: LocalPlan, role: str) -> LocalServer:
    """The server of a plan, shared by all in the process who ask for the same; give it back with :func:`stop`.

    Raises:
        UserError: the file cannot be loaded.
    """
    with _lock:
        server, users = _running.get(plan) or (LocalServer(plan, role), 0)
        _running[plan] = server, users + 1
        return server


def stop(plan: LocalPlan) -> None:
    """Give a server back; the last to do so stops it."""
    with _lock:
        server, users = _running.pop(plan)
        if users > 1:
            _running[plan] = server, users - 1
            return
        server.stop()
