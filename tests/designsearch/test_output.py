import io
import json
import sys

import pytest

from designsearch.cli.output import Output
from designsearch.cli.tables import table

TABLE = table("name", ">n", rows=[("[bold]a[/bold]", "1")])


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture
def on_terminal(monkeypatch):
    """What a terminal is sent while something is shown."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "60")

    def show(something):
        stream = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            patch.setattr(sys, "stderr", stream)
            something(Output())
        return stream.getvalue()

    return show


def everything(out):
    out.heading("heading")
    out.line("line \x1b[0m")
    out.gap()
    out.table(TABLE)
    out.note("note")
    out.detail("detail")
    out.document({"value": "é"})
    with out.progress("working") as tell:
        tell("step")


def test_plain(capsys):
    everything(Output())
    captured = capsys.readouterr()
    assert captured.out == "heading\nline \ufffd[0m\n\nname            n\n--------------  -\n[bold]a[/bold]  1\n"
    assert captured.err == "note\n"


def test_quiet(capsys):
    everything(Output(quiet=True))
    captured = capsys.readouterr()
    assert captured.out == "line \ufffd[0m\nname            n\n--------------  -\n[bold]a[/bold]  1\n"
    assert captured.err == ""


def test_verbose(capsys):
    everything(Output(verbose=True))
    assert capsys.readouterr().err == "note\ndetail\nworking step\n"


def test_json(capsys):
    everything(Output(json=True))
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"value": "é"}
    assert captured.err == "note\n"


def test_a_terminal_gets_bold_headings_and_text_as_it_is(on_terminal):
    shown = on_terminal(everything)
    assert "\x1b[1mheading" in shown
    assert "[bold]a[/bold]" in shown
    assert "line \ufffd[0m" in shown
    assert "working step" in shown


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_plain_text_gets_it(name, value, on_terminal, monkeypatch):
    monkeypatch.setenv(name, value)
    assert "\x1b" not in on_terminal(everything)


def test_a_wide_table_wraps_where_it_may(on_terminal):
    wide = table("name", "text*", rows=[("first", "many words " * 12)], title="wide")
    lines = on_terminal(lambda out: out.table(wide)).splitlines()
    assert len(lines) > 4
    assert all(len(line) <= 90 for line in lines)  # 60 columns and what makes them bold


NARROW = table(
    "trial", ">score", ">tokens", "design", "why*",
    rows=[
        ("000", "0.600", "1,194", "59ac2befa467be17", "rules: say dates as titles of days, " * 3),
        ("001", "-", "-", "-", "-"),
    ],
)  # fmt: skip


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 200])
def test_no_cell_is_cut_however_narrow_the_terminal_is(columns, on_terminal, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = on_terminal(lambda out: out.table(NARROW))
    words = shown.split()
    assert {"0.600", "1,194", "59ac2befa467be17", "titles", "001"} <= set(words)
    assert words.count("titles") == 3
    assert all(len(line) <= columns for line in shown.splitlines() if "\x1b" not in line)


def test_what_stands_below_a_row_is_named(on_terminal, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = on_terminal(lambda out: out.table(NARROW)).splitlines()
    assert lines[:3] == ["trial  score  tokens  design", "-----  -----  ------  ----------------", lines[2]]
    assert lines[3].startswith("    rules: say dates")
    monkeypatch.setenv("COLUMNS", "24")
    lines = on_terminal(lambda out: out.table(NARROW)).splitlines()
    assert lines[2:5] == ["000    0.600   1,194", "    design", "    59ac2befa467be17"]
