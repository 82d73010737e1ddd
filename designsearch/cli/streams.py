"""Standard output and error that never fail on a character, and that may be closed early."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper


def prepare_streams() -> None:
    r"""Write what a stream's encoding lacks as an escape (``\u2603``) instead of failing on it.

    What goes to a stream that was closed before the program began goes nowhere.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def is_unicode() -> bool:
    """Whether standard output can show any character."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    return encoding.startswith("utf")


def typed_text(argument: str) -> str:
    """Words of the command line as they were typed, also where the system's encoding could not read them."""
    if not any("\udc80" <= character <= "\udcff" for character in argument):
        return argument
    return os.fsencode(argument).decode("utf-8", "replace")


def discard_output() -> None:
    """Send what is still buffered for standard output nowhere, so that closing it at exit says nothing."""
    try:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123  os.devnull is no Path
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
    except (OSError, ValueError):
        # a replaced stdout (as in tests) has no file number and nothing that could fail at exit
        return
