import os
import subprocess
import sys
from pathlib import Path

import pytest

from designsearch.cli import app
from designsearch.cli.app import COMMANDS, load, overview
from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError

HEAVY = ("numpy", "optuna", "openai", "pydantic", "jinja2", "rich", "yaml", "jsonschema", "scipy", "argparse")

LOADED = """
import sys
from designsearch.cli.app import run
run({arguments})
print(*sorted(set({heavy}) & set(sys.modules)), file=sys.stderr)
"""


def loaded(arguments, heavy=HEAVY):
    code = LOADED.format(arguments=arguments, heavy=heavy)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.split()


def test_the_overview_loads_nothing_that_takes_time():
    assert loaded(["--help"]) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_loads_nothing_that_takes_time(name):
    assert loaded([name, "--help"], tuple(set(HEAVY) - {"argparse"})) == []


def test_importing_the_package_loads_nothing_that_takes_time():
    code = f"import sys, designsearch; print(*sorted(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_only_the_command_that_runs_is_loaded():
    code = (
        "import sys; from designsearch.cli.app import run; run(['cache', '--help']);"
        "print(*[m for m in sys.modules if m.startswith('designsearch.cli.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = {module.rpartition(".")[2] for module in done.stderr.split()} & set(COMMANDS)
    assert names == {"cache"}


def test_only_one_module_knows_rich_and_only_a_terminal_needs_it(world):
    import designsearch

    folder = Path(designsearch.__file__).parent
    sources = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")}
    assert [name for name, text in sources.items() if "from rich" in text or "import rich" in text] == ["cli/render.py"]
    assert loaded(["validate", "design.yaml"], ("rich", "optuna", "openai", "bm25s")) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_is_listed_works(name):
    parser, module = load(name)
    assert callable(module.run)
    text = parser.format_help()
    assert text.startswith(COMMANDS[name].about[0].upper())
    assert "--json" in text
    assert all(len(line) <= 110 for line in text.splitlines()), name


def test_overview(golden):
    golden("overview", overview() + "\n")


def test_without_a_command(command):
    done = command()
    assert done.status == 2
    assert done.out == overview() + "\n"


def test_version(command):
    from importlib.metadata import version

    for option in ("--version", "-V"):
        assert command(option) == (0, f"designsearch {version('designsearch')}\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["vaildate"], "there is no command 'vaildate' (did you mean validate?)"),
        (["--verbose"], "there is no option --verbose here"),
        (["validate"], "designsearch validate: missing: FILE"),
        (["validate", "--qiuet", "x"], "there is no option --qiuet (did you mean --quiet?)"),
        (["ops", "bm25", "dense"], "what is 'dense' for? nothing more is expected there"),
        (["ask", "design.yaml", "why?"], "designsearch ask: missing: --history"),
        (["eval", "design.yaml", "--history", "h", "--context-budget", "0"], "a whole number from 1 on, not '0'"),
        (["eval", "design.yaml", "--history", "h", "--context-budget", "many"], "a whole number from 1 on, not 'many'"),
        (["eval", "design.yaml", "--history", "h", "--history-view", "future"], "'future'"),
    ],
)
def test_mistakes_on_the_command_line(arguments, said, command):
    done = command(*arguments)
    assert done.status == 2
    assert said in done.err
    assert "--help" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (UserError("no such thing"), 2, "no such thing\n"),
        (OutOfBudgetError("all is spent"), 3, "all is spent\n"),
        (CannotContinueError("in use"), 4, "in use\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left on device"), 4, "the output cannot be written: no space left on device\n"),
    ],
)
def test_what_goes_wrong_is_told_in_plain_words(error, status, said, command, monkeypatch):
    def fail(_):
        raise error

    monkeypatch.setattr(app, "_dispatch", fail)
    assert command("cache") == (status, "", said)


def test_a_bug_shows_its_traceback(command, monkeypatch):
    def fail(_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(app, "_dispatch", fail)
    with pytest.raises(ZeroDivisionError):
        command("cache")


def test_an_unforeseen_failure_of_the_system_shows_its_traceback(command, monkeypatch):
    def fail(_):
        raise ConnectionResetError(104, "reset")

    monkeypatch.setattr(app, "_dispatch", fail)
    with pytest.raises(ConnectionResetError):
        command("cache")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell's pipe")
def test_a_reader_that_leaves_early_is_no_mistake(world, program):
    writer = subprocess.Popen([*program, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=world)
    assert writer.stdout is not None
    writer.stdout.close()
    assert writer.wait(timeout=60) == 141
    assert writer.stderr is not None
    assert writer.stderr.read() == b""
    writer.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output(world, program):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*program, "schema"], stdout=full, stderr=subprocess.PIPE, cwd=world, check=False)
    assert done.returncode == 4
    assert done.stderr == b"the output cannot be written: no space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
def test_streams_that_are_closed_from_the_start(world, program):
    for closed in (">&-", "2>&-", ">&- 2>&-", "<&-"):
        done = subprocess.run(
            f"{' '.join(program)} schema {closed}", shell=True, capture_output=True, cwd=world, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
