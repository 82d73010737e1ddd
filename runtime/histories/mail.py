"""Histories of e-mails: mailboxes (mbox), single mails (.eml), Maildir, and folders of these.

A mail is one record: its own words without what it quotes, its thread as session, its subject as section. Text that is
attached is one record a section, of source ``attachment``. A mail that is broken is kept as far as it can be read and
reported; it never stops the others. A date that cannot have been gives way to that of the mailbox, then to that of the
last machine that passed the mail on; where there is none, the time is unknown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.charsets import guessed
from designsearch.runtime.histories.export_values import UniqueIds
from designsearch.runtime.histories.mail_attachments import Attachment, sections_of
from designsearch.runtime.histories.mail_body import PARSER_FAILS, Body, read_body
from designsearch.runtime.histories.mail_dates import mail_time, newest
from designsearch.runtime.histories.mail_files import RawMail, is_mail_source, mails_of
from designsearch.runtime.histories.mail_headers import Headers
from designsearch.runtime.histories.mail_quotes import own_words
from designsearch.runtime.histories.mail_threads import threaded
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record


@loader("mail", about="e-mails: an mbox file, an .eml file, Maildir, or a folder of these", recognises=is_mail_source)
def read_mail(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of a source, named after it."""
    name = path.resolve().stem
    return {name: partial(_read, path, name)}


def _read(path: Path, name: str) -> Dataset:
    """All mails of a source."""
    report = LoadReport()
    reader = _Reader(report)
    events = threaded([event for raw in mails_of(path, report) for event in reader.records(raw)])
    report.count("events", len(events))
    if not events:
        report.note("the history is empty", path.name)
    dataset = Dataset(name, tuple(events), (), report)
    report.merge(dataset.log.report)
    return dataset


class _Reader:
    """Turns one mail after another into records whose ids are unique."""

    def __init__(self, report: LoadReport) -> None:
        self._report = report
        self._ids = UniqueIds(report, "mails")
        self._seen: set[tuple[str, str, str | None]] = set()

    def records(self, raw: RawMail) -> Iterator[Record]:
        """The mail, and a record for each section of the texts attached to it."""
        if not raw.data.strip():
            self._report.note("mails without a byte, left out", raw.place)
            return
        message, body = self._parsed(raw)
        headers = Headers(message)
        if not headers and not raw.envelope:
            self._report.note("what is no mail, as it has no headers, left out", raw.place)
            return
        mail = self._mail(raw, headers, body)
        if (copy := (mail.id, mail.text, mail.time)) in self._seen:
            self._report.note("further copies of a mail, left out", f"{raw.place}: {mail.id}")
            return
        self._seen.add(copy)
        self._report.count("mails")
        mail = replace(mail, id=self._ids.unique(mail.id))
        yield mail
        for attachment in body.attachments:
            yield from self._attached(attachment, mail)

    def _parsed(self, raw: RawMail) -> tuple[Message, Body]:
        """The mail and what it holds; as one plain text where its parts cannot be told apart."""
        try:
            message = message_from_bytes(raw.data)
        except PARSER_FAILS:
            message = message_from_bytes(raw.data.split(b"\n\n", 1)[0] + b"\n\n")
            body = self._whole(raw)
        else:
            try:
                body = read_body(message)
            except PARSER_FAILS:
                body = self._whole(raw)
        for wrong in body.wrong:
            self._report.note(f"mails with {wrong}", raw.place)
        return message, body

    @staticmethod
    def _whole(raw: RawMail) -> Body:
        """Everything below the headers as text."""
        text = guessed(raw.data.partition(b"\n\n")[2])
        return Body([text], wrong={"parts that cannot be told apart, taken as one text": None})

    def _mail(self, raw: RawMail, headers: Headers, body: Body) -> Record:
        subject = headers.text("subject")
        own = own_words(body.text, subject)
        for what, lines in (("quoted lines cut off", own.quoted), ("lines of signatures cut off", own.signed)):
            if lines:
                self._report.count(what, lines)
        if not own.text:
            self._report.note("mails without text, their subject taken", raw.place)
        people = headers.people("from") or headers.people("sender") or headers.people("reply-to")
        if not people:
            self._report.note("mails without a sender", raw.place)
        name, address = people[0] if people else ("", _envelope_sender(raw.envelope))
        reply_to, refs = headers.ids("in-reply-to"), headers.ids("references")
        own_id = next(iter(headers.ids("message-id")), "")
        if not own_id:
            self._report.note("mails without an id, given one made from their content", raw.place)
        return Record(
            id=own_id or hashlib.blake2b(raw.data, digest_size=8).hexdigest(),
            text=own.text or subject,
            time=self._time(raw, headers),
            author=name or address,
            source="email",
            section=subject,
            reply_to=(reply_to or refs[-1:] or [""])[0],
            refs=tuple(dict.fromkeys((*refs, *reply_to))),
            meta=_meta(headers, address, body, subject),
        )

    def _time(self, raw: RawMail, headers: Headers) -> str | None:
        """The time of a mail, from the first of its dates that can have been."""
        stated = headers.text("date")
        if (moment := mail_time(stated)) is not None:
            return moment.text
        shown = f"{raw.place}: {stated!r}" if stated else raw.place
        what = "a date that cannot be" if stated else "no date"
        if (moment := mail_time(raw.envelope.partition(" ")[2])) is not None:
            self._report.note(f"mails with {what}, taken from the mailbox", shown)
        elif (moment := newest(headers.texts("received"))) is not None:
            self._report.note(f"mails with {what}, taken from their last Received header", shown)
        else:
            self._report.note(f"mails with {what} anywhere, time unknown", shown)
        return None if moment is None else moment.text

    def _attached(self, attachment: Attachment, mail: Record) -> Iterator[Record]:
        """The sections of an attached text."""
        if attachment.text is None:
            self._report.note("attachments that are no text, named in their mail", attachment.name)
            return
        sections = sections_of(attachment)
        if not sections:
            self._report.note("attachments without text", attachment.name)
        self._report.count("attached texts")
        for number, section in enumerate(sections, start=1):
            yield Record(
                id=self._ids.unique(f"{mail.id}/{attachment.name}" + (f"#{number}" if len(sections) > 1 else "")),
                text=section.text,
                time=mail.time,
                author=mail.author,
                source="attachment",
                section=" > ".join(part for part in (attachment.name, section.path) if part),
                refs=(mail.id,),
                meta={"file": attachment.name},
            )


def _envelope_sender(envelope: str) -> str:
    """The address in a ``From_`` line."""
    sender = envelope.partition(" ")[0]
    return sender if "@" in sender else ""


def _meta(headers: Headers, address: str, body: Body, subject: str) -> dict[str, Any]:
    """What else the mail says of itself."""
    found: dict[str, Any] = {"from": address, "subject": subject}
    for name in ("to", "cc"):
        found[name] = [f"{who} <{where}>" if who and where else who or where for who, where in headers.people(name)]
    found["attachments"] = [attachment.name for attachment in body.attachments]
    return {key: value for key, value in found.items() if value}
