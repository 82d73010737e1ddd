"""Links from one document of a folder to another."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from designsearch.runtime.histories.headings import find_sections
from designsearch.runtime.histories.sections import Document

_MARKDOWN = re.compile(
    r"\]\(\s*<?([^)<>\s]+)>?(?:\s+[\"'(][^)]*)?\)|^\s{0,3}\[[^\]^]+\]:\s*<?(\S+?)>?(?:\s|$)", re.MULTILINE
)
_WIKI = re.compile(r"\[\[([^\]|]+)(?:\|[^\]]*)?\]\]")
_HTML = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def links_in(text: str) -> Iterator[str]:
    """The targets of all links in a piece of Markdown or HTML that lead to no other place of the net."""
    for pattern in (_MARKDOWN, _HTML):
        for groups in pattern.findall(text):
            target = next(filter(None, groups), "")
            if target and not _OUTSIDE.match(target):
                yield unquote(target)
    for target in _WIKI.findall(text):
        yield f"[[{target.strip()}"


class Links:
    """Finds the record that a link leads to.

    Args:
        documents: each document by its path, with the ids of its sections.
    """

    def __init__(self, documents: Mapping[str, tuple[Document, Sequence[str]]]) -> None:
        self._documents = documents
        self._stems: dict[str, list[str]] = {}
        for path in documents:
            stem = posixpath.splitext(posixpath.basename(path))[0].casefold()
            self._stems.setdefault(stem, []).append(path)

    def target(self, path: str, link: str) -> str | None:
        """The id of the section that a link in the document at ``path`` leads to; ``None`` where there is none."""
        plain, _, fragment = link.removeprefix("[[").partition("#")
        found = self._wiki(path, plain) if link.startswith("[[") else self._file(path, plain)
        if found is None:
            return None
        document, ids = self._documents[found]
        sections = find_sections(document, fragment.replace("-", " ")) if fragment else ()
        index = sections[0] if sections else 0
        return ids[index] if index < len(ids) else None

    def _file(self, path: str, plain: str) -> str | None:
        """The document at a path, relative to the one that names it or to the folder."""
        if not plain:
            return path
        folder = "" if plain.startswith("/") else posixpath.dirname(path)
        target = posixpath.normpath(posixpath.join(folder, plain.partition("?")[0].lstrip("/")))
        candidates = (target, f"{target}.md", f"{target}.html")
        return next((one for one in candidates if one in self._documents), None)

    def _wiki(self, path: str, plain: str) -> str | None:
        """The document of a name, that in the same folder first."""
        if not plain:
            return path
        if "/" in plain and (found := self._file("", plain)) is not None:
            return found
        name = posixpath.basename(plain).casefold()
        paths = self._stems.get(name) or self._stems.get(posixpath.splitext(name)[0]) or []
        beside = [one for one in paths if posixpath.dirname(one) == posixpath.dirname(path)]
        return next(iter(beside or paths), None)
