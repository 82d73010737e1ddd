"""Mails: what is kept of them, how they hang together, and what broken ones become."""

from __future__ import annotations

from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load

PLAIN = "From: Ana Ruiz <ana@example.org>\nTo: bo@example.org\nSubject: Key\nDate: Mon, 01 Jan 2024 10:00:00 +0100\n"
ENVELOPE = "From ana@example.org Mon Jan  1 10:00:00 2024\n"


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


@pytest.fixture
def mails(write):
    """The records of one source, given as text or bytes."""

    def mails(content, name="box.mbox"):
        write(name, content)
        (dataset,) = load(name)
        mails.noted, mails.counts = noted(dataset), dataset.report.counts
        return dataset.events

    return mails


def test_a_mail_is_a_record(mails):
    headers = PLAIN + "Cc: Cy <cy@example.org>, d@example.org\nMessage-ID: <m1@example.org>\n"
    (mail,) = mails(headers + "\nUnder the blue pot.\n", "one.eml")
    assert (mail.id, mail.text, mail.time) == ("m1@example.org", "Under the blue pot.", "2024-01-01T10:00:00+01:00")
    assert (mail.author, mail.source, mail.section, mail.session) == ("Ana Ruiz", "email", "Key", "m1@example.org")
    assert mail.meta == {
        "from": "ana@example.org", "subject": "Key", "to": ["bo@example.org"],
        "cc": ["Cy <cy@example.org>", "d@example.org"],
    }  # fmt: skip
    assert mails.noted == {}


def test_threads_are_sessions(mails):
    replies = (
        ("a", "", ""),
        ("b", "<a>", "<a>"),
        ("x", "", ""),
        ("c", "<b>", "<a> <b>"),
        ("e", "<gone>", ""),
        ("f", "<gone>", ""),
    )
    text = "".join(
        f"{ENVELOPE}Message-ID: <{own}>\nIn-Reply-To: {parent}\nReferences: {refs}\n\n{own}\n\n"
        for own, parent, refs in replies
    )
    events = mails(text)
    assert [(e.id, e.session, e.reply_to, e.refs) for e in events] == [
        ("a", "a", "", ()),
        ("b", "a", "a", ("a",)),
        ("x", "x", "", ()),
        ("c", "a", "b", ("a", "b")),
        ("e", "gone", "gone", ("gone",)),
        ("f", "gone", "gone", ("gone",)),
    ]


@pytest.mark.parametrize(
    ("content_type", "body", "text", "flaw"),
    [
        ("text/plain; charset=x-mystery", b"The key", "The key", "mails with the unknown charset 'x-mystery'"),
        ("text/plain; charset=x-mystery", "Zoë".encode(), "Zoë", "mails with the unknown charset 'x-mystery'"),
        ('text/plain; charset="utf-8 zzz"', b"At nine", "At nine", "mails with junk behind the charset in 'utf-8 zzz'"),
        ("text/plain; charset=utf-8", b"caf\xe9 at noon", "café at noon", "mails with bytes that are not utf-8"),
        (
            "text/plain; charset=utf-8",
            b"caf\xc3\xa9 \xff noon",
            "café \ufffd noon",
            "mails with bytes that are not utf-8",
        ),
        ("text/plain; charset=us-ascii", "café".encode(), "café", "mails with bytes that are not ascii"),
        ("text/plain; charset=iso-8859-1", b"\x93quote\x94 caf\xe9", "“quote” café", None),
        ("text/plain; charset=", "café".encode(), "café", "mails with an empty charset"),
        ("text/plain", "日本".encode(), "日本", "mails with no charset"),
        ("text/plain; charset=iso-2022-jp", "日本".encode("iso-2022-jp"), "日本", None),
        ("text/plain; charset=hex", b"6869", "6869", "mails with the unknown charset 'hex'"),
        ("nonsense", b"hello", "hello", None),
    ],
)
def test_whatever_the_charset_the_mail_is_kept(mails, content_type, body, text, flaw):
    raw = f"{PLAIN}Message-ID: <m>\nContent-Type: {content_type}\n\n".encode() + body + b"\n"
    (mail,) = mails(raw, "one.eml")
    assert mail.text == text
    assert list(mails.noted) == ([flaw] if flaw else [])


@pytest.mark.parametrize(
    ("headers", "time", "said"),
    [
        ("Date: Mon, 01 Jan 2024 10:00:00 +0000", "2024-01-01T10:00:00Z", None),
        ("Date: 1 Jan 24 10:00 CET", "2024-01-01T10:00", None),
        ("Date: Tue, 32 Foo 2024", "2024-05-06T07:08:09", "mails with a date that cannot be, taken from the mailbox"),
        ("X: y", "2024-05-06T07:08:09", "mails with no date, taken from the mailbox"),
    ],
)
def test_the_date_that_can_have_been(mails, headers, time, said):
    (mail,) = mails(f"From ana@example.org Mon May  6 07:08:09 2024\nMessage-ID: <m>\nFrom: a\n{headers}\n\nx\n")
    assert mail.time == time
    assert list(mails.noted) == ([said] if said else [])


def test_without_any_date_the_time_is_that_of_the_last_machine_or_unknown(mails):
    received = "Received: by b; Tue, 2 Jan 2024 11:00:00 +0000\nReceived: by a; Tue, 2 Jan 2024 10:00:00 +0000\n"
    (mail,) = mails(f"{received}From: a\nMessage-ID: <m>\nDate: soon\n\nx\n", "one.eml")
    assert mail.time == "2024-01-02T11:00:00Z"
    assert list(mails.noted) == ["mails with a date that cannot be, taken from their last Received header"]
    (mail,) = mails("From: a\nMessage-ID: <m>\n\nx\n", "two.eml")
    assert mail.time is None
    assert list(mails.noted) == ["mails with no date anywhere, time unknown"]


def test_one_bad_mail_stops_nothing(mails):
    bad = [
        b'Content-Type: multipart/mixed; boundary="\n\n--x\n\n--\n',
        b"Content-Type: text/plain; charset*=''%FF\nContent-Transfer-Encoding: base64\n\n!!!!\n",
        b"Content-Type: multipart/mixed\n\nno boundary\n",
        b"Content-Type: text/plain; charset=\x00\xff\n\n\xff\xfe\n",
        b"\xff\xfe: \x80\nSubject: =?utf-8?b?////?= =?x?q?=ZZ?=\n\nodd\n",
        b"Content-Disposition: attachment; filename*0*=x''%zz; filename*=\n\nodd\n",
        b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdA==\n",
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(60)) + b"\ndeep\n",
    ]
    content = b"".join(ENVELOPE.encode() + b"Message-ID: <%d>\n" % i + mail + b"\n" for i, mail in enumerate(bad))
    events = mails(content + f"{ENVELOPE}Message-ID: <good>\n\nThe key\n".encode())
    assert [e.id for e in events if e.source == "email"] == [*map(str, range(len(bad))), "good"]
    assert events[-1].text == "The key"
    assert {e.time for e in events} == {"2024-01-01T10:00:00"}


def test_headers_are_decoded_whatever_they_claim(mails):
    (mail,) = mails(
        "From: =?utf-8?q?Zo=C3=AB_M=C3=BCller?= <zoe@example.org>\nMessage-ID: <m>\nDate: 1 Jan 2024 10:00 +0000\n"
        "Subject: =?utf-8?b?ww==?= =?utf-8?b?hHBmZWw=?= and\n "
        "=?unknown-8bit?q?caf=E9?= =?iso-8859-1*de?q?=FCber?=\n\nx\n",
        "one.eml",
    )
    assert (mail.author, mail.section) == ("Zoë Müller", "Äpfel and caféüber")
    (mail,) = mails(b"From: Zo\xc3\xab <z@e.org>\nSubject: na\xefve\nMessage-ID: <m>\n\nx\n", "two.eml")
    assert (mail.author, mail.section) == ("Zoë", "naïve")


def test_plain_text_goes_before_html_and_html_is_read_where_it_is_alone(mails):
    message = EmailMessage()
    message["Message-ID"], message["From"], message["Date"] = "<m>", "a@example.org", "Mon, 01 Jan 2024 10:00:00 +0000"
    message.set_content("plain words")
    message.add_alternative("<p>html words</p>", subtype="html")
    assert [e.text for e in mails(bytes(message), "one.eml")] == ["plain words"]
    message.clear_content()
    message.set_content("<style>p{}</style><p>html <b>words</b></p><table><tr><td>a<td>b</table>", subtype="html")
    assert [e.text for e in mails(bytes(message), "two.eml")] == ["html words\na | b"]
    message.clear_content()
    message.set_content(" \n")
    message.add_alternative("<p>html words</p><blockquote>older<br>words</blockquote>", subtype="html")
    assert [e.text for e in mails(bytes(message), "three.eml")] == ["html words"]
    assert mails.counts["quoted lines cut off"] == 2


def test_attached_texts_are_records_and_others_are_named(mails):
    message = EmailMessage()
    message["Message-ID"], message["From"], message["Date"] = "<m>", "Ana <a@b.c>", "Mon, 01 Jan 2024 10:00:00 +0000"
    message.set_content("See the files")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="../cat.png")
    message.add_attachment(
        b"# Plan\n\nGo\n\n# Costs\n\nFew\n", maintype="application", subtype="octet-stream", filename="plan.md"
    )
    message.add_attachment("a,b\n1,2\n", subtype="csv", filename="t.csv")
    message.add_attachment("<h1>Hi</h1><p>there", subtype="html", filename="p.html")
    mail, *attached = mails(bytes(message), "one.eml")
    assert mail.text == "See the files"
    assert mail.meta["attachments"] == ["cat.png", "plan.md", "t.csv", "p.html"]
    assert [(e.id, e.text, e.section) for e in attached] == [
        ("m/plan.md#1", "# Plan\nGo", "plan.md > Plan"),
        ("m/plan.md#2", "# Costs\nFew", "plan.md > Costs"),
        ("m/t.csv", "a,b\n1,2", "t.csv"),
        ("m/p.html", "Hi\nthere", "p.html > Hi"),
    ]
    assert {(e.source, e.refs, e.session, e.time, e.author) for e in attached} == {
        ("attachment", ("m",), "m", "2024-01-01T10:00:00Z", "Ana")
    }
    assert mails.noted == {"attachments that are no text, named in their mail": (1, ("cat.png",))}


def test_a_mail_in_a_mail_is_kept(mails):
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "Cy <cy@example.org>", "Lunch"
    inner.set_content("At the old mill\n\nOn 1 Jan 2024, Bo wrote:\n> where?")
    outer = EmailMessage()
    outer["Message-ID"], outer["From"] = "<m>", "a@example.org"
    outer.set_content("Look at this")
    outer.add_attachment(inner)
    (mail,) = mails(bytes(outer), "one.eml")
    assert mail.text == (
        "Look at this\n\n---------- Forwarded message ----------\nFrom: Cy <cy@example.org>\nSubject: Lunch\n\n"
        "At the old mill\n\nOn 1 Jan 2024, Bo wrote:\n> where?"
    )


def test_flowed_text_is_put_together(mails):
    head = PLAIN + "Message-ID: <m>\nContent-Type: text/plain; format=flowed; delsp={}\n\n"
    text = "one \ntwo\n stuffed \nline\n> old \n> words\n-- \nAna\n"
    assert [e.text for e in mails(head.format("no") + text, "one.eml")] == ["one two\nstuffed line"]
    assert [e.text for e in mails(head.format("yes") + "won \nderful\n", "two.eml")] == ["wonderful"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_mailboxes_are_cut_at_their_marks_alone(mails, end, encoding):
    text = (
        f"{ENVELOPE}{PLAIN}Message-ID: <a>\n\nFrom now on we meet at nine.\n>From here to there\n>>From x\n\n"
        f"{ENVELOPE}{PLAIN}Message-ID: <b>\n\nsecond\n"
    )
    events = mails(text.replace("\n", end).encode(encoding))
    assert [(e.id, e.text) for e in events] == [
        ("a", "From now on we meet at nine.\nFrom here to there"),
        ("b", "second"),
    ]


def test_times_in_a_text_part_no_mails(mails):
    body = "From 9:00 to 10:00 we walk\n\nFrom 2024 on\nNote: bring tea\n\nFrom bo@x.org Monday\n\nFrom here:\n"
    assert [e.text for e in mails(f"{ENVELOPE}{PLAIN}Message-ID: <a>\n\n{body}\n{ENVELOPE}\nlast\n")] == [
        body.strip(),
        "last",
    ]


def test_a_folder_of_mails(write, mails):
    write("in/box.mbox", f"{ENVELOPE}{PLAIN}Message-ID: <a>\n\nfirst\n")
    write("in/sub/two.eml", f"{PLAIN}Message-ID: <b>\n\nsecond\n")
    write("in/Inbox", f"{ENVELOPE}{PLAIN}Message-ID: <c>\n\nthird\n")
    write("in/empty.eml", "")
    write("in/notes.md", "# Notes")
    write("in/.hidden.eml", "x")
    (dataset,) = load("in")
    assert dataset.name == "in"
    assert [e.text for e in dataset.events] == ["third", "first", "second"]
    assert noted(dataset) == {
        "hidden files and folders, left out": (1, (".hidden.eml",)),
        "files of no bytes, left out": (1, ("empty.eml",)),
        "files that are no mail, left out": (1, ("notes.md",)),
    }


def test_words_in_headers_of_ids_are_no_ids(mails):
    text = 'Message-ID: a@b\nIn-Reply-To: Your message of "Mon" <x\n @y>\nReferences: Your message of Monday\n\nhello\n'
    (mail,) = mails(PLAIN + text, "one.eml")
    assert (mail.id, mail.reply_to, mail.refs) == ("a@b", "x@y", ("x@y",))


def test_maildir(write):
    for name in ("box/cur/1.host:2,S", "box/new/2.host", "box/tmp/3.host"):
        write(name, f"{PLAIN}Message-ID: <{name}>\n\n{name}\n")
    (dataset,) = load("box")
    assert [e.text for e in dataset.events] == ["box/cur/1.host:2,S", "box/new/2.host"]
    assert noted(dataset) == {"mails that were never wholly delivered, left out": (1, ("tmp/3.host",))}


def test_copies_are_left_out_and_ids_made_unique(mails):
    head = f"{ENVELOPE}{PLAIN}Message-ID: <a>\n\n"
    events = mails(f"{head}one\n\n{head}one\n\n{head}two\n")
    assert [(e.id, e.text) for e in events] == [("a", "one"), ("a~2", "two")]
    assert mails.noted == {
        "further copies of a mail, left out": (1, ("mail 2: a",)),
        "ids that several mails have, made unique": (1, ("a -> a~2",)),
    }


def test_a_mail_without_text_has_its_subject(mails):
    (mail,) = mails(f"{PLAIN}Message-ID: <m>\n\n", "one.eml")
    assert mail.text == "Key"


@pytest.mark.parametrize("name", ["diary.mbox", "diary.eml"])
@pytest.mark.parametrize("start", ["Dear diary: ", "From now on: "])
def test_prose_under_the_name_of_mail_is_no_mail(mails, name, start):
    assert mails(f"{start}all is well.\n\nFrom now on I write daily.\n", name) == ()
    assert "what is no mail, as it has no headers, left out" in mails.noted


def test_an_empty_mailbox_is_said(write):
    write("box.mbox", "")
    (dataset,) = load("box.mbox")
    assert dataset.events == ()
    assert "the history is empty" in noted(dataset)


@pytest.mark.parametrize("name", ["a.mbox", "a.eml", "Inbox", "saved.txt"])
def test_mails_are_recognised(write, name):
    write(name, f"{ENVELOPE}{PLAIN}\nx\n")
    assert find_format(Path(name)).name == "mail"


PIECES = """From a@b Mon Jan  1 10:00:00 2024
Content-Type: multipart/mixed; boundary=b
--b
--b--

> q
Content-Type: text/html; charset=utf-7
Content-Transfer-Encoding: base64
Content-Type: message/rfc822
\xff
Content-Type: text/plain; format=flowed; charset=x
<![x[<blockquote><p>&#xd800;
On 1.1.2024 Bo wrote:
--\x20
Date: 99 Xyz
From: "<,;:@
References: <a> <
Content-Disposition: attachment; filename=a.md
=?x?b?=?="""
pieces = st.sampled_from(PIECES.split("\n"))


@given(st.lists(pieces | st.text(max_size=20), max_size=25).map("\n".join) | st.binary(max_size=200))
def test_any_mail_is_read_or_refused(tmp_path_factory, content):
    raw = content if isinstance(content, bytes) else content.encode("latin-1", "replace")
    for name in ("a.mbox", "a.eml"):
        path = tmp_path_factory.mktemp("any") / name
        path.write_bytes(raw)
        with suppress(UserError):
            (dataset,) = load(path)
            assert len({e.id for e in dataset.events}) == len(dataset.events)
