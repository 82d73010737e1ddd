"""Keys, tokens and passwords: by the prefixes that providers give them, by their form, and by the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.runtime.privacy.found import Found

_PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.{0,16384}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]*)",
    re.DOTALL,
)
_PREFIXED = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{16,}|"
    r"(?:AKIA|ASIA)[0-9A-Z]{16}|gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|glpat-[\w-]{20,}|"
    r"xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{20,}|AIza[\w-]{35}|ya29\.[\w-]{20,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|"
    r"pypi-[\w-]{50,}|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_[0-9a-f]{64}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|"
    r"AGE-SECRET-KEY-1[0-9A-Z]{50,}|key-[0-9a-f]{32}|\d{8,10}:AA[\w-]{33}|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}|"
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*|hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/[A-Za-z0-9]+|"
    r"discord(?:app)?\.com/api/webhooks/\d+/[\w-]+|gsk_[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|(?:pplx|xai)-[A-Za-z0-9]{40,}|"
    r"lin_api_[A-Za-z0-9]{30,}|(?:secret|ntn)_[A-Za-z0-9]{40,}|figd_[\w-]{30,}|EAA[A-Za-z0-9]{30,}|GOCSPX-[\w-]{20,}|"
    r"1//0[\w-]{30,}|(?:AC|SK)[0-9a-f]{32}|sq0(?:atp|csp|idp)-[\w-]{20,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|"
    r"dckr_pat_[\w-]{20,}|hv[sbr]\.[\w-]{24,}|tskey-[a-z]+-[\w-]{16,}|sntry[su]_[\w+/=-]{30,}|ph[cx]_[A-Za-z0-9]{30,}|"
    r"dapi[0-9a-f]{32}|(?:ATATT|ATCTT)3[\w=-]{50,}|PRIVATE-[0-9a-f]{32}|nvapi-[\w-]{40,}|rnd_[A-Za-z0-9]{28,}|"
    r"[0-9a-f]{32}-us\d{1,2}"
    r")(?![A-Za-z0-9])"
)
_SIGNED = re.compile(r"[?&](?:sig|signature|x-amz-signature)=([A-Za-z0-9%+/=_-]{20,})", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"\b[A-Z][A-Z0-9_]*_KEY[\"']?\s?[=:]\s?[\"']?(?=[^\s\"']*\d)([\w./+=-]{12,})")
_IN_URL = re.compile(r"(?<=://)[^\s/:@]{0,64}:([^\s/@]{1,128})@")
_BEARER = re.compile(
    r"\b(?:bearer|basic)\s+(?=[A-Za-z._~+/-]*\d)(?=[\d._~+/-]*[A-Za-z])([A-Za-z0-9._~+/-]{12,}=*)", re.IGNORECASE
)

NAMES = (
    r"pass(?:word|wd|phrase|code)|pwd?|pin|secret|token|api[ _-]?key|(?:access|auth|refresh|id|bearer)[ _-]?token|"
    r"(?:secret|access|private|encryption|signing|licen[cs]e)[ _-]?key|client[ _-]?secret|credentials?|"
    r"(?:account|shared[ _-]?access)[ _-]?key|"
    r"passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|parola|пароль|hasło|heslo|lösenord|adgangskode|"
    r"passord|salasana|jelszó|şifre|parolă|κωδικός|סיסמה|كلمة (?:السر|المرور)|mật khẩu"
)
"""What secrets are called, as a regular expression."""

_UNSPACED_NAMES = "密码|密碼|口令|パスワード|暗証番号|비밀번호"
"""The same in scripts in which other words may stand right before it."""

_PIN = re.compile(r"\bPIN (\d{4})(?![\w-]|[.,]\d)")
_OPTION = re.compile(rf"(?<![\w-])--(?:[a-z]+-)?(?:{NAMES})\s+(?!-)(\S{{4,200}})", re.IGNORECASE)

_NAMED = re.compile(
    rf"(?:(?<![^\W_])(?:{NAMES})|{_UNSPACED_NAMES})"
    r"(?:\\?[\"']?\s{0,3}(?::=|=>|->|[:=：＝]|(?<=\w)>|[是は]|은|는)|\s+(?P<says>is|ist|est|es|was|lautet|è|é|это)\b:?)"
    r"[ \t]{0,3}\\?"
    r"(?:(?P<quote>[\"'`“„«「])(?P<quoted>[^\n\"'`”“»」]{1,200})[\"'`”“»」]|"
    r"(?P<bare>[^\s\"'`,;<>(){}\[\]，。；！？、」]{1,200}))",
    re.IGNORECASE,
)
_NO_SECRET = re.compile(
    r"(?:none|nothing|something|null|nil|true|false|yes|no|n/?a|tbd|unknown|empty|required|optional|invalid|valid|wrong|incorrect|correct|"
    r"expired|missing|changed|reset|forgotten|same|here|below|above|hidden|redacted|secret|password|string|str|int|"
    r"bytes|text|siehe|see|default|\*+|x+|\.+|-+|_+|\$\w*|%\w+%|\\+\w*)[.!?]*",
    re.IGNORECASE,
)
_PROSE = re.compile(r"[,;]?[ \t]+[^\W\d_]")
LEAST = 4
"""Characters of a value that a name is said to stand for; a shorter one is more likely a word of the sentence."""


def secrets(text: str) -> Iterator[Found]:
    """Keys of providers, JSON web tokens, private keys, passwords in addresses, and what is called one of those."""
    if "-----BEGIN" in text:
        for found in _PEM.finditer(text):
            yield Found(found.start(), found.end(), found[0])
    for found in _PREFIXED.finditer(text):
        if any(letter.isdigit() for letter in found[0]):
            yield Found(found.start(), found.end(), found[0])
    for pattern in (_IN_URL, _BEARER, _SIGNED, _PIN, _OPTION, _ENVIRONMENT):
        for found in pattern.finditer(text):
            yield Found(*found.span(1), found[1])
    for found in _NAMED.finditer(text):
        yield from _named(text, found)


def _named(text: str, found: re.Match[str]) -> Iterator[Found]:
    """The value behind a name, unless it reads as a word of the sentence."""
    if found["quoted"] is not None:
        if not _NO_SECRET.fullmatch(found["quoted"]):
            value = found["quoted"].rstrip("\\")  # a quotation mark inside JSON inside JSON
            yield Found(found.start("quoted"), found.start("quoted") + len(value), value)
        return
    value = found["bare"].rstrip(".,?:")
    end = found.start("bare") + len(value)
    if len(value) < LEAST or _NO_SECRET.fullmatch(value):
        return
    # a plain word in the middle of a sentence, as in "password: must have eight characters", is no secret
    plain = value.isalpha() and (value.islower() or value.istitle())
    if plain and (found["says"] is not None or _PROSE.match(text, end)):
        return
    yield Found(found.start("bare"), end, value)
