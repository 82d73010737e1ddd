import pytest

from designsearch.cli.parser import Parser, definitions
from designsearch.dsl.problems import UserError


@pytest.fixture
def parser():
    made = Parser("designsearch try", "try something", "Ignored.\n\nProse that\nis wrapped.\n\nExamples:\n    try it\n")
    made.add_argument("what", metavar="WHAT", help="the thing")
    made.add_argument("more", nargs="*", metavar="MORE", help="further things")
    made.add_argument("--often", type=int, default=1, metavar="N", help="how often " + "and again " * 12)
    group = made.add_argument_group("colours")
    group.add_argument("--colour", choices=("red", "green"), required=True, help="which")
    return made


def test_help(parser):
    assert parser.format_help() == (
        "Try something.\n\n"
        "usage: designsearch try WHAT [MORE...] --colour red|green [OPTIONS]\n\n"
        "arguments\n  WHAT       the thing\n  [MORE...]  further things\n\n"
        "options\n"
        "  --often N  how often and again and again and again and again and again and again and again and\n"
        "             again and again and again and again and again\n\n"
        "colours\n  --colour red|green  which\n\n"
        "output\n"
        "  --json         one JSON document instead of text\n"
        "  -q, --quiet    the result alone\n"
        "  -v, --verbose  more detail\n"
        "  -h, --help     this text\n\n"
        "Prose that is wrapped.\n\n"
        "examples\n  try it"
    )


def test_arguments_and_options_in_any_order(parser):
    args = parser.parse(["--colour", "red", "a", "-q", "b", "--often", "3", "c", "--json"])
    assert (args.what, args.more, args.often, args.colour) == ("a", ["b", "c"], 3, "red")
    assert (args.json, args.quiet, args.verbose) == (True, True, False)


def test_help_wins_over_mistakes(parser, capsys):
    assert parser.parse(["--nonsense", "-h"]) is None
    assert capsys.readouterr().out.startswith("Try something.")


def test_what_follows_two_dashes_is_no_option(parser):
    args = parser.parse(["--colour", "red", "a", "--", "-h", "--json"])
    assert (args.what, args.more, args.json) == ("a", ["-h", "--json"], False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "designsearch try: missing: --colour"),
        (["--colour", "red"], "designsearch try: missing: WHAT"),
        (["a", "--colour", "blue"], "--colour: invalid choice: 'blue'"),
        (["a", "--colour", "red", "--ofen=2"], "there is no option --ofen=2 (did you mean --often?)"),
        (["a", "--colour", "red", "--often", "x"], "--often: invalid int value: 'x'"),
        (["a", "--col", "red"], "there is no option --col (did you mean --colour?)"),
    ],
)
def test_mistakes(arguments, said, parser):
    with pytest.raises(UserError) as caught:
        parser.parse(arguments)
    text = str(caught.value)
    assert said in text
    assert "usage: designsearch try WHAT [MORE...] --colour red|green [OPTIONS]" in text
    assert text.endswith("designsearch try --help explains them")


def test_long_terms_stand_on_their_own_line():
    assert definitions([("short", "one"), ("x" * 40, "two")]) == [
        "  short" + " " * 27 + "one",
        "  " + "x" * 40,
        "  " + " " * 32 + "two",
    ]
