"""The ledger of a study: Optuna's own study, one trial a proposal.

A proposal that was scored is COMPLETE with its decision; one that was not is FAIL with its cause; nothing is PRUNED.
Optuna decides nothing here: it keeps the books, and its dashboard and API read them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.exceptions import ExperimentalWarning
from optuna.samplers import BaseSampler
from optuna.storages import BaseStorage
from optuna.trial import FrozenTrial, TrialState

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.lock import Say
from designsearch.search.plain import attribute
from designsearch.search.storage import open_storage, patiently, read_storage

INTERRUPTED = "interrupted"
"""Decision of a trial that was running when its process ended."""

STOPPED = "stopped"
"""The study's attribute about how it ended when it was last run."""

QUESTIONS = "questions"
"""The study's attribute about where its questions are from."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A tunable setting of a proposed design, as Optuna's trial shows it."""

    value: Any
    distribution: BaseDistribution


@dataclass(frozen=True, slots=True)
class Entry:
    """One trial.

    Attributes:
        number: Optuna's number, which names the trial's folder.
        scored: whether it is COMPLETE.
        running: whether it has not ended.
        value: the validation score where it was scored.
        attrs: its attributes.
        params: the tunable settings of its design.
    """

    number: int
    scored: bool
    running: bool
    value: float | None
    attrs: Mapping[str, Any]
    params: Mapping[str, Any]

    @property
    def decision(self) -> str:
        """``accepted``, ``rejected``, ``indecisive``; or why it was not scored."""
        return str(self.attrs.get("decision", INTERRUPTED))


class _Recorder(BaseSampler):
    """A sampler that suggests what was decided already."""

    def __init__(self) -> None:
        self.values: Mapping[str, Any] = {}

    def infer_relative_search_space(self, study: optuna.Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        return {}

    def sample_relative(
        self, study: optuna.Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        return {}

    def sample_independent(
        self, study: optuna.Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self.values[param_name]


class Ledger:
    """The trials of one study.

    Args:
        storage: path of a ``.log`` journal, or a database's URL.
        name: the study's name.
        objective: the metric's name, for Optuna's pages.
        say: gets messages about repairs.

    Raises:
        CannotContinueError: the storage cannot be used, or holds another kind of study of that name.
    """

    def __init__(self, storage: str, name: str, objective: str, say: Say) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._recorder = _Recorder()
        backend, self._batch = open_storage(storage, say)
        known = name in optuna.get_all_study_names(backend)
        self._study = optuna.create_study(
            storage=backend, study_name=name, direction="maximize", load_if_exists=True, sampler=self._recorder
        )
        if self._study.direction.name != "MAXIMIZE":
            raise CannotContinueError(f"{storage}: the study {name} there is to be minimised; name another one")
        found = self._study.metric_names
        if known and found is not None and found != [objective]:
            raise CannotContinueError(f"{storage}: the study {name} there is about {found[0]}, not {objective}")
        if found is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ExperimentalWarning)
                self._study.set_metric_names([objective])

    def entries(self) -> list[Entry]:
        """All trials in order."""
        return [_entry(trial) for trial in self._study.get_trials(deepcopy=False)]

    @property
    def next_number(self) -> int:
        """The number that the next trial will have."""
        return len(self._study.get_trials(deepcopy=False))

    @property
    def attrs(self) -> Mapping[str, Any]:
        """The study's own attributes."""
        return dict(self._study.user_attrs)

    def note(self, key: str, value: Any) -> None:
        """Set an attribute of the study."""
        patiently(lambda: self._study.set_user_attr(key, attribute(value)))

    def begin(self, parameters: Mapping[str, Parameter], attrs: Mapping[str, Any]) -> int:
        """Start a trial of a design with those settings; its number."""
        self._recorder.values = {name: one.value for name, one in parameters.items()}
        trial = patiently(self._study.ask)
        with self._batch():
            for name, one in parameters.items():
                patiently(partial(_suggest, trial, name, one.distribution))
            self._set(trial._trial_id, attrs)  # noqa: SLF001  as trials loaded from a storage have no public setter
        return trial.number

    def complete(self, number: int, value: float, attrs: Mapping[str, Any]) -> None:
        """End a trial that was scored; its attributes come first, as Optuna takes none afterwards."""
        self._finish(number, attrs, lambda: self._study.tell(number, value))

    def fail(self, number: int, decision: str, attrs: Mapping[str, Any]) -> None:
        """End a trial that was not scored."""
        both = {"decision": decision, **attrs}
        self._finish(number, both, lambda: self._study.tell(number, state=TrialState.FAIL))

    def interrupt_stale(self) -> list[int]:
        """Mark trials that a dead process left behind; their numbers."""
        stale = self._study.get_trials(deepcopy=False, states=(TrialState.RUNNING, TrialState.WAITING))
        for trial in stale:
            self._set(trial._trial_id, {"decision": INTERRUPTED})  # noqa: SLF001
            # a waiting trial cannot be told
            self._study._storage.set_trial_state_values(trial._trial_id, TrialState.FAIL)  # noqa: SLF001
        return [trial.number for trial in stale if trial.state == TrialState.RUNNING]

    def _finish(self, number: int, attrs: Mapping[str, Any], tell: Callable[[], object]) -> None:
        trial = self._study.get_trials(deepcopy=False)[number]
        with self._batch():
            self._set(trial._trial_id, attrs)  # noqa: SLF001
        patiently(tell)

    def _set(self, trial_id: int, attrs: Mapping[str, Any]) -> None:
        for key, value in attrs.items():
            patiently(partial(self._storage.set_trial_user_attr, trial_id, key, attribute(value)))

    @property
    def _storage(self) -> BaseStorage:
        return self._study._storage  # noqa: SLF001


def read_ledger(storage: str, name: str) -> tuple[Mapping[str, Any], list[Entry]]:
    """The attributes and the trials of a study, while it may be running; nothing is written.

    Raises:
        CannotContinueError: there is no such study, or the storage cannot be read.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        study = optuna.load_study(study_name=name, storage=read_storage(storage))
    except KeyError:
        raise CannotContinueError(f"{storage}: there is no study {name}") from None
    return dict(study.user_attrs), [_entry(trial) for trial in study.get_trials(deepcopy=False)]


def _suggest(trial: optuna.Trial, name: str, distribution: BaseDistribution) -> None:
    if isinstance(distribution, IntDistribution):
        trial.suggest_int(name, distribution.low, distribution.high, log=distribution.log)
    elif isinstance(distribution, FloatDistribution):
        trial.suggest_float(name, distribution.low, distribution.high, log=distribution.log)
    elif isinstance(distribution, CategoricalDistribution):
        trial.suggest_categorical(name, distribution.choices)


def _entry(trial: FrozenTrial) -> Entry:
    scored = trial.state == TrialState.COMPLETE
    return Entry(
        number=trial.number,
        scored=scored,
        running=not trial.state.is_finished(),
        value=trial.value if scored else None,
        attrs=dict(trial.user_attrs),
        params=dict(trial.params),
    )
