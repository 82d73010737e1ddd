"""Turn mail, documents, chats or a data set into a history to work with.

SRC is a file or folder in any format that is read (an unknown name after --format lists them); #NAME takes one
history out of several. What is written has one event a line as JSON, in UTF-8. Where SRC holds several histories,
-o FOLDER/ takes them all, one NAME.jsonl each.

Times keep the zone and the precision that they have in SRC; one that is not known stays unknown. What a data set says
about its own answers never enters the history; its questions go to --questions FILE, or are left out.

The account of what was read, what was left out and why is printed and kept beside the history, as NAME.report.json
for NAME.jsonl and as ingest.report.json in a folder. It quotes a few examples from SRC. With no record read, nothing
is written and the exit status is 4.

--map reads JSON, JSON lines or CSV of any shape: FIELD is one of ours (id, text, time, author, role, session, ...),
KEY the key that holds it, with dots down into objects. records=KEY says where in the file the array of records is.

--redact puts placeholders such as [email 1] in the place of e-mail addresses, phone numbers, payment cards, bank
accounts (iban), keys and passwords (secret), US social security numbers (ssn) and IP addresses; the same value gets the
same placeholder throughout. They are found by their form: names of people and places stay, and a few will be missed.
Which value stood where is written nowhere.

Examples:
    designsearch ingest archive.mbox -o mail.jsonl
    designsearch ingest notes/ -o notes.jsonl
    designsearch ingest archive.mbox -o mail.jsonl --redact email,phone
    designsearch ingest benchmark.json -o histories/ --questions questions.jsonl
    designsearch ingest talks.json -o talks.jsonl --map records=data.items --map text=body
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designsearch.cli.parser import Namespace, Parser

if TYPE_CHECKING:
    from designsearch.cli.output import Output


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SRC[#NAME]", help="what to read: a file or a folder")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="where to write it, or a folder for several")
    parser.add_argument("--format", default="auto", help="format of SRC (default: auto, which finds out)")
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=KEY",
        help="the key of SRC that holds a field, as in text=body; may be repeated",
    )
    parser.add_argument("--questions", metavar="FILE", help="where to write the questions that SRC brings")
    parser.add_argument(
        "--redact",
        nargs="?",
        const="",
        metavar="KINDS",
        help="replace personal data; KINDS are some of secret,email,iban,card,ssn,ip,phone (default: all of them)",
    )
    parser.add_argument("--force", action="store_true", help="write over files that exist")


def run(args: Namespace, out: Output) -> int:
    """Read, write, and account for it."""
    from designsearch.cli.ingest_tables import show
    from designsearch.ingesting import ingest
    from designsearch.runtime.histories.fields import parse_fields
    from designsearch.runtime.privacy.redact import Redactor, kinds_of

    redactor = None if args.redact is None else Redactor(kinds_of(args.redact))
    with out.progress("reading") as step:
        step(args.source)
        done = ingest(
            args.source,
            args.out,
            format=args.format,
            fields=parse_fields(args.map),
            questions=args.questions,
            overwrite=args.force,
            redactor=redactor,
        )
    show(done, out)
    if redactor is not None:
        out.note(redactor.line())
    out.document(done.document() | ({"redacted": redactor.report()} if redactor is not None else {}))
    return 0
