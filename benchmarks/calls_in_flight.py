"""A thousand questions to a server that takes 100 ms for each, 32 in flight.

The server is a process of its own. Printed are the wall time over the ideal (questions x 0.1 s / 32) and over that of
the bare client of OpenAI in the same loop, which only reads the body; the most calls that the server saw at once; and
how much memory grew between call 200 and the last one.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path
from time import perf_counter, sleep

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.requests import Message, Request
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.team import Team

SECONDS = 0.1
IN_FLIGHT = 32
LENGTH = 2000
"""Characters of each question, as with a short context."""


async def serve() -> None:
    """The server: answers every call after a while, counts those in flight, and tells the most at ``/peak``."""
    flying = peak = served = 0
    message = {"role": "assistant", "content": "An answer of some ten words, as short answers mostly are."}
    reply = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    body = json.dumps({**reply, "usage": {"prompt_tokens": 500, "completion_tokens": 12}}).encode()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal flying, peak, served
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b""
                )
                await reader.readexactly(int(length.partition(b":")[2] or 0))
                told = body
                if head.startswith(b"GET /peak"):
                    told = json.dumps({"peak": peak, "served": served}).encode()
                else:
                    flying += 1
                    peak = max(peak, flying)
                    await asyncio.sleep(SECONDS)
                    flying -= 1
                    served += 1
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(told), told))
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=2**22)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def told(url: str) -> dict[str, int]:
    """What the server has seen."""
    with urllib.request.urlopen(f"{url}/peak") as response:
        seen: dict[str, int] = json.load(response)
    return seen


def resident() -> float:
    """MiB of memory that the process holds, or the most that it held where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def bare(questions: int, url: str) -> float:
    """Seconds that OpenAI's own client takes, as many in flight."""
    import httpx2
    import openai

    async def ask() -> float:
        client = openai.AsyncOpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)
        text = "word " * (LENGTH // 5)
        left = iter(range(questions))

        async def post(i: int) -> None:
            body = {"model": "stub", "messages": [{"role": "user", "content": f"{i} {text}"}]}
            json.loads((await client.post("/chat/completions", body=body, cast_to=httpx2.Response)).content)

        async def worker() -> None:
            for i in left:
                await post(i)

        await asyncio.gather(*(post(i) for i in range(IN_FLIGHT)))  # connects
        started = perf_counter()
        await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))
        return perf_counter() - started

    return asyncio.run(ask())


def measure(questions: int, folder: Path, url: str) -> None:
    """Ask all questions and print the figures."""
    settings = ModelSettings(model="stub", base_url=f"{url}/v1", concurrency=IN_FLIGHT)
    team = Team.open({"answerer": settings}, CallStore(folder / "calls.sqlite"))
    model = team.model("answerer")
    assert model is not None
    model.complete([Request("warm@1", (Message("user", f"warm {i}"),)) for i in range(IN_FLIGHT)])
    text = "word " * (LENGTH // 5)
    requests = [Request("bench@1", (Message("user", f"{i} {text}"),)) for i in range(questions)]
    early: list[float] = []
    begun = told(url)["served"]

    def watch() -> None:
        while told(url)["served"] < begun + 200:
            sleep(0.1)
        early.append(resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    started = perf_counter()
    replies = model.complete(requests)
    took = perf_counter() - started
    watcher.join()
    assert all(reply.ok for reply in replies)
    ideal, alone = questions * SECONDS / IN_FLIGHT, bare(questions, url)
    print(f"{questions} questions, {IN_FLIGHT} in flight, {SECONDS:g} s each: {took:.2f} s")
    print(f"{took / ideal:.2f} of the ideal, {took / alone:.2f} of the bare client ({alone:.2f} s)")
    print(f"most in flight at the server: {told(url)['peak']}")
    print(f"memory from call 200 to {questions}: {resident() - early[0]:+.1f} MiB")
    again = perf_counter()
    cached = model.complete(requests)
    assert all(reply.cached for reply in cached)
    print(f"the same out of the cache: {perf_counter() - again:.2f} s")
    team.close()


def main() -> None:
    """Start the server, measure, stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--serve", action="store_true", help="be the server")
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve())
        return
    server = subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            measure(options.questions, Path(folder), f"http://127.0.0.1:{int(server.stdout.readline())}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
