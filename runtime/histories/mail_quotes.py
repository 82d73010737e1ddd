"""What a mail says itself, apart from what it quotes and from its signature."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_QUOTE = re.compile(r"\s{0,3}>")
_WROTE = re.compile(
    r"(?:On|Am|Le|El|Il|Op|Em|Den|W dniu|Dnia|Dne|Vào|På) .{6,250}?"
    r"(?:wrote|schrieb\b.{0,80}|a écrit|escribió|ha scritto|het volgende geschreven|schreef\b.{0,80}|escreveu"
    r"|skrev\b.{0,80}|napisał(?:\(a\))?|napsal(?:\(a\))?|đã viết)\s?:\s*"
    r"|.{6,250}?(?:kirjoitti|napisał(?:\(a\)|a)?|пишет|написал(?:\(а\)|а)?|написа|写道|寫道|님이 작성|のメッセージ)"
    r"\s?[:：]\s*"
    r"|\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}.{0,150}<\S+@\S+>\s?[:：]\s*",
    re.IGNORECASE | re.DOTALL,
)
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:Original Message|Original Appointment|Reply message|Ursprüngliche Nachricht|Originalnachricht"
    r"|Message d['’]origine|Message original|Mensaje original|Messaggio originale|Mensagem original"
    r"|Oorspronkelijk bericht|Opprinnelig melding|Ursprungligt meddelande|Oprindelig meddelelse|Wiadomość oryginalna"
    r"|Исходное сообщение|原始邮件|元のメッセージ)\s*-{2,}\s*",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"\s*-{2,}\s*(?:Forwarded message|Forwarded by .*|Weitergeleitete Nachricht|Message transféré"
    r"|Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht|Mensagem encaminhada|Vidarebefordrat meddelande"
    r"|Пересылаемое сообщение|转发的?邮件)\s*-{2,}\s*"
    r"|\s*(?:Begin forwarded message|Anfang der weitergeleiteten (?:E-?Mail|Nachricht)"
    r"|Début du message (?:transféré|réexpédié)|Inicio del mensaje reenviado|Inizio messaggio inoltrato"
    r"|Begin doorgestuurd bericht)\s?:\s*",
    re.IGNORECASE,
)
_FORWARD_SUBJECT = re.compile(r"\s*(?:fwd?|wg|tr|rv|enc|doorst|vs|vb|转发)\s?[:：]", re.IGNORECASE)
_FROM = re.compile(r"\s*\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От|发件人|差出人)\*?\s?[:：]\*?\s*\S", re.IGNORECASE)
_SENT = re.compile(
    r"\s*\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el| em)?|Fecha|Inviato|Data|Verzonden|Skickat|Sendt|Wysłano"
    r"|Отправлено|Дата|发送时间|日期|送信日時)\*?\s?[:：]",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\s*\*?(?:Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Ämne|Emne|Temat|Тема|主题|件名)\*?\s?[:：]",
    re.IGNORECASE,
)
_DATED = re.compile(r"\d|@")
"""What an introduction of a quote has and a sentence that ends in "wrote:" may lack."""
_RULE = re.compile(r"\s*[_=-]{8,}\s*")
_BLANKS = re.compile(r"\n{3,}")
_SIGNATURE = 12
"""Lines at most of a signature whose mark has lost the space behind it."""

_ATTRIBUTION = 3
"""Lines at most over which "On ... wrote:" is wrapped."""

_HEADERS = 7
"""Lines at most in which a quoted mail names its sender, date and subject."""


class Own(NamedTuple):
    """A mail's own words.

    Attributes:
        text: them; the whole text where the mail has no other.
        quoted: lines of quotes cut off.
        signed: lines of signature cut off.
    """

    text: str
    quoted: int
    signed: int


def own_words(text: str, subject: str = "") -> Own:
    """Cut quotes and signature off a mail.

    Quotes are lines behind ``>`` with the line that introduces them, and all that follows "Original Message" or the
    headers of an older mail. Answers between quoted lines are kept, and what is forwarded stays as it is.

    Args:
        text: the text of the mail.
        subject: its subject, which may say that all of it is forwarded.
    """
    lines = text.split("\n")
    forwarded = bool(_FORWARD_SUBJECT.match(subject))
    start = next((i for i, line in enumerate(lines) if _FORWARDED.fullmatch(line)), len(lines))
    if forwarded and start == len(lines):
        start = next((i for i in range(len(lines)) if _is_older_mail(lines, i)), len(lines))
    end = next((i for i in range(start) if _is_older_mail(lines, i)), start)
    kept, quoted, whole = _unquoted(lines[:end])
    if end < start or whole:
        quoted += sum(bool(line.strip()) for line in lines[end:])
        tail = ""
    else:
        tail = "\n".join(lines[start:])
    kept, signed = _unsigned(kept)
    own = "\n\n".join(part for part in ("\n".join(kept).rstrip(), tail) if part)
    own = _BLANKS.sub("\n\n", own).strip("\n").rstrip()
    return Own(own, quoted, signed) if own.strip() else Own(text.strip("\n").rstrip(), 0, 0)


def _is_older_mail(lines: Sequence[str], at: int) -> bool:
    """Whether an older mail begins here, announced or by its headers."""
    line = lines[at]
    if _ORIGINAL.fullmatch(line):
        return True
    if not _FROM.match(line):
        return False
    head = lines[at + 1 : at + _HEADERS]
    return any(map(_SENT.match, head)) and any(map(_SUBJECT.match, head))


def _unquoted(lines: Sequence[str]) -> tuple[list[str], int, bool]:
    """The lines without quotes; how many were cut; whether the rest of the mail is a quote too."""
    kept: list[str] = []
    quoted = at = 0
    while at < len(lines):
        if _QUOTE.match(lines[at]):
            quoted += 1
            at += 1
            continue
        after = _after_attribution(lines, at)
        if after:
            following = next((line for line in lines[after:] if line.strip()), "")
            if _QUOTE.match(following):
                quoted += after - at
                at = after
                continue
            if _DATED.search("".join(lines[at:after])) and not any(map(_QUOTE.match, lines[after:])):
                return _without_rule(kept), quoted + sum(bool(line.strip()) for line in lines[at:]), True
        kept.append(lines[at])
        at += 1
    return _without_rule(kept), quoted, False


def _without_rule(kept: list[str]) -> list[str]:
    """The lines without blank ones and rules at their end, which stood above a quote."""
    end = len(kept)
    while end and (not kept[end - 1].strip() or _RULE.fullmatch(kept[end - 1])):
        end -= 1
    return kept[:end]


def _after_attribution(lines: Sequence[str], at: int) -> int:
    """The line after "On ... wrote:" where that begins here, else 0."""
    for count in range(1, _ATTRIBUTION + 1):
        part = lines[at : at + count]
        if len(part) < count or not part[-1].strip() or _QUOTE.match(part[-1]):
            return 0
        if part[-1].rstrip()[-1:] in (":", "：") and _WROTE.fullmatch(" ".join(part).strip()):
            return at + count
    return 0


def _unsigned(lines: Sequence[str]) -> tuple[list[str], int]:
    """The lines without the signature, and how many it had."""
    for at, line in enumerate(lines):
        left = len(lines) - at - 1
        if at and (line == "-- " or (line == "--" and left <= _SIGNATURE)):
            return list(lines[:at]), left + 1
    return list(lines), 0
