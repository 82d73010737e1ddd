"""What a study's models have spent, read off their meter: over all runs, and since a piece of work began."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import NO_CAPS, Caps, Spending
from designsearch.runtime.models.serving.seats import seats_of
from designsearch.runtime.models.settings import ModelSettings, Role
from designsearch.runtime.models.team import Team
from designsearch.search.costs import Costs, by_role, difference, summed
from designsearch.search.lock import Say
from designsearch.search.spent import Spent


def _silent(_: str) -> None:
    """Say nothing."""


@dataclass
class Purse:
    """The models of a study and what they spend; without any, nothing is ever spent.

    Attributes:
        team: the models; ``None`` where rules play every role.
        calls: keeps replies and money.
        say: hears what is odd about the servers.
    """

    team: Team | None = None
    calls: CallStore | None = None
    say: Say = _silent
    _before: Costs = field(default_factory=dict, repr=False)
    _checked: bool = field(default=False, repr=False)

    def check(self) -> None:
        """Contact every server once, before the first work of a run; nothing is paid for it.

        Raises:
            CannotContinueError: one is not there, refuses the key, or does not know the model.
        """
        if self.team is not None and not self._checked:
            for note in self.team.check():
                self.say(note)
            self._checked = True

    def begin(self, work: str) -> None:
        """Name the work that is paid for from now on: ``base``, ``trial 7``, ``claim``."""
        if self.team is not None:
            self.team.begin(work)
        self._before = self.costs()

    def taken(self) -> Costs:
        """What was paid since work began, role by role."""
        return difference(self.costs(), self._before)

    def taken_by(self, trials: int, seconds: float, results: Spent) -> Spent:
        """What a piece of work took.

        Args:
            trials: revisions that it scored.
            seconds: its time.
            results: calls and money as the results of questions say, for work that no meter saw.
        """
        if self.team is None:
            return Spent(trials, seconds, results.calls, results.usd)
        total = summed(self.taken())
        return Spent(trials, seconds, total.calls, total.usd)

    def costs(self) -> Costs:
        """What was paid over all runs, role by role."""
        return by_role(self.calls.tallies()) if self.calls is not None else {}

    @property
    def spent(self) -> Spending:
        """All that was paid over all runs."""
        return self.team.spent if self.team is not None else Spending()

    def close(self) -> None:
        """Stop local servers and close the file of calls."""
        if self.team is not None:
            self.team.close()


def check_models(models: Mapping[Role, ModelSettings], caps: Caps = NO_CAPS) -> None:
    """Find out whether models can be used as they are named, before a folder is made for what they reply.

    Raises:
        UserError: one cannot.
    """
    seats_of(models, caps, will_call=True)


def open_purse(
    models: Mapping[Role, ModelSettings], store: Callable[[], CallStore], caps: Caps = NO_CAPS, say: Say = _silent
) -> Purse:
    """The models of a study; an empty purse where rules play every role, and then no store is opened.

    Args:
        models: by role.
        store: opens what keeps their replies and their money.
        caps: over all runs.
        say: hears what is odd about the servers.

    Raises:
        CannotContinueError: the store cannot be opened.
        UserError: a model cannot be used as it is named.
    """
    if not models:
        return Purse()
    calls = store()
    try:
        return Purse(Team.open(models, calls, caps, say), calls, say)
    except BaseException:
        calls.close()
        raise
