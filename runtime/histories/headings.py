"""Find the section that a reference names, although it rarely names it word for word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from designsearch.runtime.histories.sections import Document, Heading

_CLOSE = 0.75
"""Share of words in common, in order, from which two titles count as the same (SequenceMatcher's ratio)."""
_NUMBERED = re.compile(
    r"(?:section|part|chapter|appendix)?\s*(?:\d+(?:\.\d+)*|[ivx]+|[a-h])(?=[.:)\s]|$)[.:)]?\s*", re.I
)
_PREFIX = re.compile(r"\s*(?:header|heading|section)\s*:\s*", re.IGNORECASE)


def find_sections(document: Document, reference: str) -> tuple[int, ...]:
    """The sections that a reference names.

    Tried in order: nothing but ``Header`` (the head of the document); the same words; the same words but for the
    numbering; words that the title begins with, or that begin with the title; the nearest title; a line of the text
    that begins with the words, such as the title of a table.

    Args:
        document: where to look.
        reference: what names the section; empty means the document as a whole.

    Returns:
        Indices of sections: that of the heading with those under it; of a title over the whole document only the part
        right below it. Empty where nothing fits.
    """
    if not document.sections:
        return ()
    wanted = _PREFIX.sub("", reference, count=1) if _PREFIX.sub("", reference, count=1).strip() else reference
    words = _words(wanted)
    if not words:
        return tuple(range(len(document.sections)))
    if words == ["header"]:
        return (0,)
    heading = _nearest(document.headings, wanted)
    if heading is not None:
        return _covered(document, heading)
    starts = (i for i, section in enumerate(document.sections) if _has_line(section.text, words))
    return tuple(starts)[:1]


def _covered(document: Document, heading: Heading) -> tuple[int, ...]:
    """The sections of a heading; only the head of one that stands over the whole document."""
    if heading.section == 0 and heading.stop == len(document.sections):
        return (0,)
    return tuple(range(heading.section, heading.stop))


def _nearest(headings: Sequence[Heading], wanted: str) -> Heading | None:
    """The heading that fits best, by the first rule under which any fits."""
    words, plain = _words(wanted), _words(_unnumbered(wanted))
    rules: tuple[Callable[[Heading], bool], ...] = (
        lambda h: _words(h.title) == words,
        lambda h: bool(plain) and _words(_unnumbered(h.title)) == plain,
        lambda h: _begins(_words(h.title), words) or _begins(words, _words(h.title)),
        lambda h: len(plain) > 1 and _begins(_words(_unnumbered(h.title)), plain),
    )
    for rule in rules:
        for heading in headings:
            if rule(heading):
                return heading
    scored = [(SequenceMatcher(None, plain, _words(_unnumbered(h.title)), autojunk=False).ratio(), h) for h in headings]
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] >= _CLOSE else None


def _words(text: str) -> list[str]:
    """The words of a title, without case and marks."""
    return re.findall(r"\w+", text.casefold().replace("_", " "))


def _unnumbered(title: str) -> str:
    """A title without ``3.4``, ``II.`` or ``Section 1:`` in front, unless nothing else is left."""
    rest = (
        _NUMBERED.sub("", title.strip().lstrip("# "), count=1) if _NUMBERED.match(title.strip().lstrip("# ")) else title
    )
    return rest if _words(rest) else title


def _begins(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether the first words of one are all the words of the other."""
    return bool(shorter) and list(longer[: len(shorter)]) == list(shorter)


def _has_line(text: str, words: Sequence[str]) -> bool:
    """Whether a line of a text begins with these words."""
    return any(_begins(_words(line), words) for line in text.splitlines())
