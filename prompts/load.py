"""Prompts by name: one Jinja2 file each, with its declared variables and version.

A prompt's file begins with a head of YAML between two lines ``---``::

    ---
    about: Answers a question from a context.
    version: 1
    data: [question, context]
    plain: [limit]
    ---
    == system ==
    Answer in at most {{ limit }} words.
    == user ==
    {{ context | data("context") }}
    {{ question | data("question") }}

Below it stand its messages, each under a line that names its author. They are taken apart before anything is filled in,
so that no text can add a message of its own.

A prompt that goes on with the conversation of another says so: ``follows: propose/propose``.

``data`` names the variables that hold text from a history or a user: it may say anything, and stands in a prompt only
through the filter ``data``, which marks its beginning and end with a key made of the text itself, so that no text can
close its own quotation. ``plain`` names the rest: numbers, names and words of the program's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

import jinja2
import yaml

from designsearch.prompts.quoting import NOTICE, quoted

Author = Literal["system", "user", "assistant"]

_AUTHORS: dict[str, Author] = {f"== {a} ==": a for a in ("system", "user", "assistant")}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt.

    Attributes:
        name: folder and file, as in ``answer/answer``.
        about: what it is for, in a sentence.
        version: raised by whoever changes what it asks for.
        data: the variables that hold untrusted text.
        plain: the other variables.
        messages: author and template of each message.
        identity: name, version and a hash of the file, as in ``answer/answer@1-9f3a1c20``.
        follows: the prompt whose conversation it goes on with; empty for one that begins with a system message.
    """

    name: str
    about: str
    version: int
    data: frozenset[str]
    plain: frozenset[str]
    identity: str
    follows: str
    messages: tuple[tuple[Author, jinja2.Template], ...] = field(repr=False)

    def render(self, **variables: Any) -> list[tuple[Author, str]]:
        """The messages for these variables, author and text each.

        Args:
            **variables: exactly the declared ones; a data variable may hold texts in lists and mappings.

        Raises:
            TypeError: a variable is missing or was not declared.
            jinja2.UndefinedError: a part of a variable is missing.
        """
        declared = self.data | self.plain
        if variables.keys() != declared:
            wrong = sorted(variables.keys() ^ declared)
            raise TypeError(f"prompt {self.name} takes {', '.join(sorted(declared))}; see {', '.join(wrong)}")
        made = [(author, template.render(variables).strip()) for author, template in self.messages]
        return [(author, _noticed(author, text)) for author, text in made]


def _noticed(author: Author, text: str) -> str:
    return f"{text}\n\n{NOTICE}" if author == "system" else text


@cache
def prompt(name: str) -> Prompt:
    """The prompt of that name.

    Raises:
        LookupError: there is none.
    """
    path = files("designsearch.prompts").joinpath(f"{name}.j2")
    if not path.is_file():
        raise LookupError(f"there is no prompt {name}")
    source = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    _, head, body = source.split("---\n", 2)
    about: Mapping[str, Any] = yaml.safe_load(head)
    version = int(about["version"])
    digest = hashlib.blake2b((source + NOTICE).encode(), digest_size=4).hexdigest()
    return Prompt(
        name=name,
        about=about["about"],
        version=version,
        data=frozenset(about.get("data") or ()),
        plain=frozenset(about.get("plain") or ()),
        identity=f"{name}@{version}-{digest}",
        follows=about.get("follows", ""),
        messages=tuple(_messages(body)),
    )


def prompt_names() -> list[str]:
    """The names of all prompts, sorted."""
    return sorted(_names(files("designsearch.prompts"), ""))


def _names(folder: Traversable, prefix: str) -> list[str]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".j2"):
            found.append(f"{prefix}{entry.name.removesuffix('.j2')}")
    return found


def _messages(body: str) -> list[tuple[Author, jinja2.Template]]:
    made: list[tuple[Author, list[str]]] = []
    for line in body.split("\n"):
        author = _AUTHORS.get(line.rstrip())
        if author is not None:
            made.append((author, []))
        elif made:
            made[-1][1].append(line)
    return [(author, _environment().from_string("\n".join(lines))) for author, lines in made]


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)  # noqa: S701  no web pages
    made.globals.clear()
    made.filters["data"] = quoted
    return made
