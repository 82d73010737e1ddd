"""E-mail and IP addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address, IPv6Address, IPv6Network

from designsearch.runtime.privacy.found import Found, is_numbered

_AT = re.compile(r"@|＠|%40|[(\[]\s?at\s?[)\]]", re.IGNORECASE)
_EMAIL = re.compile(
    r"(?<![\w.+%'-])(?P<local>[\w.+'-]{1,64}|\"[^\"\n@]{1,64}\")"
    r"(?P<at>@|＠|%40|\s?[(\[]\s?at\s?[)\]]\s?)"
    r"(?P<domain>[^\W_](?:[\w-]{0,62})(?:(?:[.．]|\s?[(\[]\s?dot\s?[)\]]\s?)[\w-]{1,63})+)",
    re.IGNORECASE,
)
_DOT = re.compile(r"\s?[(\[]\s?dot\s?[)\]]\s?|．", re.IGNORECASE)
_SPOKEN = re.compile(
    r"(?<![\w.+%'-])(?P<local>[\w.+'-]{1,64}) at (?P<domain>[\w-]{1,63}(?: dot [\w-]{1,63}){0,3} dot "
    r"(?:com|org|net|edu|gov|info|io|dev|ai|app|me|eu|uk|de|fr|es|it|nl|ch|at|pl|se|no|dk|fi|ca|au|nz|in|jp|br|us))\b",
    re.IGNORECASE,
)
_LAST = re.compile(r"(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59})")
_SCALED = re.compile(r"[1-4]x\.", re.IGNORECASE)
"""``icon@2x.png`` is a picture for a dense screen."""

_V4 = re.compile(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)")
_V6 = re.compile(
    r"(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_IN_USE = tuple(map(IPv6Network, ("2000::/3", "fc00::/7", "fe80::/10", "ff00::/8", "64:ff9b::/96", "::ffff:0:0/96")))
"""What of IPv6 is given out; elsewhere colons between letters are program text."""


def emails(text: str) -> Iterator[Found]:
    """E-mail addresses, also written with ``(at)`` or ``%40``; the address of a git repository is none of a person."""
    for found in _SPOKEN.finditer(text):
        domain = re.sub(" dot ", ".", found["domain"], flags=re.IGNORECASE)
        yield Found(found.start(), found.end(), f"{found['local']}@{domain}".casefold())
    if not _AT.search(text):
        return
    for found in _EMAIL.finditer(text):
        domain = _DOT.sub(".", found["domain"])
        ends = domain.rstrip(".-_")
        cut = len(domain) - len(ends) if domain == found["domain"] else 0
        last = ends.rpartition(".")[2]
        end = found.end() - cut
        is_repository = found["local"] == "git" and text[end : end + 1] in (":", "/")
        if not _LAST.fullmatch(last) or _SCALED.match(domain) or is_repository:
            continue
        start = found.start() + len(found["local"]) - len(found["local"].lstrip(".'-"))
        yield Found(start, end, f"{text[start : found.end('local')]}@{ends}".casefold())


def ip_addresses(text: str) -> Iterator[Found]:
    """IPv4 and IPv6 addresses; not versions, and not those that every machine has (``127.0.0.1``, ``0.0.0.0``)."""
    if text.count(":") >= 2:
        for found in _V6.finditer(text):
            try:
                six = IPv6Address(found[0])
            except AddressValueError:
                continue
            if any(six in network for network in _IN_USE):
                yield Found(found.start(), found.end(), str(six))
    if text.count(".") >= 3:
        for found in _V4.finditer(text):
            try:
                address = IPv4Address(found[0])
            except AddressValueError:
                continue
            if not (address.is_loopback or address.is_unspecified or is_numbered(text, found.start())):
                yield Found(found.start(), found.end(), str(address))
