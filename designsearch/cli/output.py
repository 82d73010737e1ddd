"""Where a command's output goes: text for people, or one JSON document; notes aside on stderr."""

from __future__ import annotations

import json as json_module
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from designsearch.cli.streams import is_unicode
from designsearch.cli.tables import Table, clean, plain_lines


class Output:
    """What a command shows.

    Args:
        json: one JSON document on stdout and no text.
        quiet: no headings, no notes.
        verbose: further detail.
    """

    def __init__(self, *, json: bool = False, quiet: bool = False, verbose: bool = False) -> None:
        self.json = json
        self.quiet = quiet
        self.verbose = verbose

    def line(self, text: str = "") -> None:
        """A line of the result."""
        if not self.json:
            print(clean(text))

    def heading(self, text: str) -> None:
        """A heading above a part of the result; left out when quiet."""
        if self.json or self.quiet:
            return
        if not self._styled(sys.stdout):
            print(clean(text))
            return
        from designsearch.cli.render import print_heading

        print_heading(text)

    def table(self, shown: Table) -> None:
        """A table of the result."""
        if self.json:
            return
        if not self._styled(sys.stdout):
            print("\n".join(plain_lines(shown)))
            return
        from designsearch.cli.render import print_table

        print_table(shown)

    def gap(self) -> None:
        """A blank line between two parts of the result."""
        if not self.json and not self.quiet:
            print()

    def note(self, text: str) -> None:
        """Something to know beside the result, on stderr; left out when quiet."""
        if not self.quiet:
            print(clean(text), file=sys.stderr)

    def warning(self, text: str) -> None:
        """Something without which the result would be misread, on stderr; quiet or not."""
        print(clean(text), file=sys.stderr)

    def detail(self, text: str) -> None:
        """As :meth:`note`, only when verbose."""
        if self.verbose:
            self.note(text)

    def document(self, value: Any) -> None:
        """The whole result as one JSON document; shown only where that was asked for."""
        if self.json:
            print(json_module.dumps(value, ensure_ascii=not is_unicode(), indent=2, allow_nan=False))

    @contextmanager
    def progress(self, what: str) -> Iterator[Callable[[str], None]]:
        """While the block runs, show what is being done: live on a terminal, one line a step when verbose elsewhere."""
        if self.quiet or not self._styled(sys.stderr):
            yield lambda step: self.detail(f"{what} {step}")
            return
        from designsearch.cli.render import live_status

        with live_status(what) as tell:
            yield tell

    @contextmanager
    def counts(self, what: str, wanted: int) -> Iterator[Callable[[Any], None]]:
        """While the block runs, show how far something is that passes steps: bars on a terminal, lines elsewhere.

        What it yields takes an object with ``kept``, of ``wanted``, and ``steps()``: counts by name, in order.
        """
        if self.quiet or not self._styled(sys.stderr):
            told = 0

            def tell(seen: Any) -> None:
                nonlocal told
                if (tenth := 10 * seen.kept // max(1, wanted)) != told:
                    told = tenth
                    steps = [f"{number:,} {name}" for name, number in seen.steps().items() if name != "kept"]
                    self.note(f"{what}: {seen.kept:,} of {wanted:,} kept ({', '.join(steps)})")

            yield tell
            return
        from designsearch.cli.render import live_counts

        with live_counts(what, wanted) as show:
            yield show

    @staticmethod
    def _styled(stream: TextIO) -> bool:
        return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
