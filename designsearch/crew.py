"""The models of a command or a memory that has no study: read from a file or a mapping, opened, and closed again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import InvalidFileError, OutOfBudgetError
from designsearch.dsl.source import Source, read_text, scan
from designsearch.runtime.cache import Cache, default_folder
from designsearch.runtime.models.answering import make_answerer
from designsearch.runtime.models.base import Answerer
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.meter import CapReachedError
from designsearch.runtime.models.books.spending import NO_CAPS, Caps
from designsearch.runtime.models.settings import ModelSettings, Role
from designsearch.runtime.models.team import Team
from designsearch.runtime.services import Services
from designsearch.search.costs import Costs, by_role, difference
from designsearch.search.judge import Judge, make_judge
from designsearch.search.lock import Say, hold_if_free
from designsearch.search.model_block import check_prices, models_of
from designsearch.search.study_file import StudyDrafter
from designsearch.search.study_shape import BudgetShape, ModelsShape

CALLS = "calls.sqlite"
"""In the cache folder: the replies that commands without a study were given, and what they took."""

Models = Mapping[str, Any] | str | Path
"""A file of models, a study file, or the ``models`` of one as a mapping."""

_MAPPING = "<models>"

_REMEDY = 'as in models: {default: {model: NAME, base_url: "http://127.0.0.1:8080/v1"}}'


@dataclass(frozen=True)
class Named:
    """What a file of models says.

    Attributes:
        models: who plays which role.
        budget: caps on money and calls, for one command.
        file: its name, for messages.
        folder: what paths in it are relative to; the working folder for a mapping.
    """

    models: ModelsShape = field(default_factory=ModelsShape)
    budget: BudgetShape = field(default_factory=BudgetShape)
    file: str = ""
    folder: Path = Path()

    @property
    def by_role(self) -> dict[Role, ModelSettings]:
        """The roles that a model plays."""
        return self.models.named(self.folder)


def read_models(given: Models | None) -> Named:
    """Read a file of models, a study file for its models, or a mapping; nothing where ``None`` is given.

    Raises:
        InvalidFileError: with every problem.
    """
    if given is None:
        return Named()
    if isinstance(given, Mapping):
        import yaml

        text, file = yaml.safe_dump({"models": dict(given)}, allow_unicode=True, sort_keys=False), _MAPPING
    else:
        text, file = read_text(Path(given), kind="models"), str(given)
    return _named(scan(text, file, kind="block of models"), file)


def _named(source: Source, file: str) -> Named:
    drafter = StudyDrafter(source)
    written = source.value
    if "models" not in written:
        drafter.report((), "models is missing", _REMEDY)
    if not written.keys() & {"study", "data", "base"}:
        for key in written:
            if key not in ("models", "budget", "version", "notes") and not key.startswith("x-"):
                drafter.report((key,), f"unknown key {key}", "the keys here are models and budget", key=True)
    models = models_of(written.get("models", {}), drafter)
    values = drafter.part(written.get("budget", {}), BudgetShape, ("budget",))
    budget = drafter.build(BudgetShape, values, ("budget",)) if not drafter.problems else None
    if budget is not None:
        check_prices(models, budget, drafter)
    problems = [*source.problems, *drafter.problems]
    if problems or budget is None:
        raise InvalidFileError(problems)
    return Named(models, budget, file, Path() if file == _MAPPING else Path(file).parent)


@dataclass(frozen=True)
class Crew:
    """Models at work, or rules where none is named.

    Attributes:
        team: the models.
        calls: their replies, and what they took.
        models: their settings by role.
        before: what they had taken before.
    """

    team: Team
    calls: CallStore
    models: Mapping[Role, ModelSettings]
    before: Costs = field(default_factory=dict)

    def services(self, cache: Cache) -> Services:
        """What memories need, with that cache."""
        return Services(cache=cache, embedder=self.team.embedder(), helper=self.team.model("helper"))

    def answerer(self) -> Answerer:
        """Who answers."""
        return make_answerer(self.team.model("answerer"), self._replicates("answerer"))

    def judge(self) -> Judge | None:
        """Who judges."""
        return make_judge(self.team.model("judge"), self._replicates("judge"))

    def _replicates(self, role: Role) -> int:
        return self.models[role].replicates if role in self.models else 1

    def costs(self) -> Costs:
        """What was taken since they were opened, by role."""
        return difference(by_role(self.calls.tallies()), self.before)


def crew_of(named: Named, roles: Collection[Role], calls: CallStore, say: Say, caps: Caps = NO_CAPS) -> Crew:
    """Open the models of some roles; nobody is asked yet.

    Raises:
        UserError: a model cannot be used as it is named.
    """
    models = {role: settings for role, settings in named.by_role.items() if role in roles}
    return Crew(Team.open(models, calls, caps, say), calls, models, by_role(calls.tallies()))


@contextmanager
def crew(given: Models | None, roles: Collection[Role], say: Say) -> Iterator[Crew]:
    """The models of a command while the block runs; their replies are kept in the cache folder.

    Args:
        given: where they are named; ``None`` for rules.
        roles: those that the command has work for; models of others are left out.
        say: hears which server gets what, before anything is sent.

    Raises:
        UserError: the file has mistakes, or a model cannot be used as it is named.
        CannotContinueError: a server is not there, refuses the key, or does not know a model.
        OutOfBudgetError: the file's budget is used up.
    """
    named = read_models(given)
    used = any(role in roles for role in named.by_role)
    with _store(kept=used) as calls:
        made = crew_of(named, roles, calls, say, _caps(named.budget, calls))
        try:
            for line in made.team.destinations():
                say(line)
            for line in made.team.check():
                say(line)
            yield made
        except CapReachedError as error:
            raise OutOfBudgetError(
                f"{named.file}: budget.{error.cap} is used up by this command; raise it and run the command again: the "
                "replies that came are kept"
            ) from error
        finally:
            made.team.close()


@contextmanager
def _store(*, kept: bool) -> Iterator[CallStore]:
    """The cache folder's calls; what they hold is only read where another process writes there."""
    if not kept:
        yield CallStore(None)
        return
    path = default_folder() / CALLS
    with hold_if_free(path.with_suffix(".lock")) as free:
        if free:
            yield CallStore(path)
        else:
            yield CallStore(None, [path] if path.is_file() else [])


def _caps(budget: BudgetShape, calls: CallStore) -> Caps:
    """The caps of one command, on top of what earlier ones took."""
    spent = calls.spent()
    return Caps(
        None if budget.usd is None else spent.usd + budget.usd,
        None if budget.llm_calls is None else spent.calls + budget.llm_calls,
    )
