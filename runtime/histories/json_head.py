"""What a JSON file says of itself in its first kilobytes, which may end anywhere."""

from __future__ import annotations

import json
import re

HEAD_BYTES = 65_536
"""Bytes of a file that are enough to find out what it is."""

_TOKEN = re.compile(r'"(?:[^"\\]+|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_COLON = re.compile(r"\s*:")
_TOPS = (["{"], ["[", "{"])
"""What is open where the keys of the document, or of the items of its array, stand."""


def head_keys(head: str) -> frozenset[str]:
    """The keys of the object that a document is, or of those objects of its array that the head reaches.

    Keys deeper down do not count, so that words in a text cannot be mistaken for them.

    Args:
        head: the first part of a document, or all of it.
    """
    if head.lstrip()[:1] not in ("[", "{"):
        return frozenset()
    keys, stack = set[str](), list[str]()
    for token in _TOKEN.finditer(head):
        letter = token[0][0]
        if letter == '"':
            if stack in _TOPS and _COLON.match(head, token.end()):
                keys.add(_plain(token[0]))
        elif letter in "[{":
            stack.append(letter)
        elif stack:
            stack.pop()
    return frozenset(keys)


def _plain(quoted: str) -> str:
    """A key without its quotation marks and escapes."""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted.strip('"')
