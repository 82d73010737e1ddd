"""From a study file to a study that can run: what it reads, the models that it asks, its evaluator and its proposer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from designsearch.dsl.design import Design
from designsearch.dsl.needs import unmet_needs
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.dsl.relocate import moved
from designsearch.runtime.cache import Cache, default_folder
from designsearch.runtime.models.answering import make_answerer
from designsearch.runtime.models.base import Model
from designsearch.runtime.models.settings import ModelSettings, Role
from designsearch.runtime.models.team import Team
from designsearch.runtime.named_file_checks import check_named_files
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Runner
from designsearch.search.events import Listen, silent
from designsearch.search.judge import make_judge
from designsearch.search.parallel import Histories
from designsearch.search.proposers.fit import FitProposer
from designsearch.search.proposers.llm import LlmProposer
from designsearch.search.proposers.llm_room import fitted
from designsearch.search.proposers.make import MakeLlm, make_proposer
from designsearch.search.purse import Purse
from designsearch.search.run_folder import RunFolder
from designsearch.search.splits import Split
from designsearch.search.study import Study
from designsearch.search.study_data import StudyData, load_data, open_base
from designsearch.search.study_evaluator import StudyEvaluator
from designsearch.search.study_file import StudyFile
from designsearch.search.study_questions import Supply, kept_questions
from designsearch.search.study_shape import NAME_PATTERN, GeneratedShape
from designsearch.search.supervision.settings import making_roles


@dataclass(frozen=True)
class Prepared:
    """A study with all that it reads; nothing is written yet, and nobody is asked.

    Attributes:
        file: the study file.
        base: the design to start from, with paths as seen from the folder of the base in the run folder.
        data: the histories with their questions.
        split: which questions are in which share.
        registry: what designs may be made of.
    """

    file: StudyFile
    base: Design
    data: StudyData
    split: Split
    registry: Registry

    def study(self, listen: Listen = silent, purse: Purse | None = None) -> Study:
        """The study, played by the models of a purse, or by rules."""
        purse = purse or Purse()
        shape, team, models = self.file.shape, purse.team, roles_of(self.file)
        runner = Runner(shape.context_budget, Services(Cache(default_folder())), shape.history_view)
        if team is not None:
            runner.services = replace(runner.services, helper=team.model("helper"), embedder=team.embedder())
        if shape.objective == "accuracy":
            asked, judging = (models[r].replicates if r in models else 1 for r in ("answerer", "judge"))
            runner.answerer = make_answerer(team.model("answerer") if team is not None else None, asked)
            runner.judge = make_judge(team.model("judge") if team is not None else None, judging)
        histories = Histories(runner, self.data.tasks, shape.execution.backend, shape.execution.jobs)
        evaluator = StudyEvaluator(runner, self.data.tasks, self.split, shape.objective, histories)
        evaluator.fingerprints = {**evaluator.fingerprints, **_model_fingerprints(team, models)}
        helper = runner.services.helper is not None
        proposes = team.model("proposer") if team is not None else None
        llm = _llm_of(proposes, models["proposer"]) if proposes is not None else None
        proposer = make_proposer(self.file.proposer, lambda: FitProposer(evaluator), llm)
        return Study(
            self.file, self.base, evaluator, self.split, self.registry, proposer, listen, helper=helper, purse=purse
        )


def _llm_of(model: Model, settings: ModelSettings) -> MakeLlm:
    return lambda options: LlmProposer(model, fitted(options, settings))


def _model_fingerprints(team: Team | None, models: Iterable[Role]) -> dict[str, str]:
    """What replies depend on, one entry a role, so that a refusal can name the role."""
    return {f"models.{role}": team.fingerprints[role] for role in models} if team is not None else {}


def prepare(study: StudyFile, registry: Registry, supply: Supply = kept_questions) -> Prepared:
    """Read all that a study needs.

    Args:
        study: the study file.
        registry: what designs may be made of.
        supply: gives questions that are to be generated; where not given, those that were generated before.

    Raises:
        InvalidFileError: the base is not valid, cannot use a file that it names, or needs a model that the study does
            not name.
        UserError: something named is not there or not valid.
    """
    # as it stands in the run folder: what a study makes of it is written beside it, and names files as it does
    named = open_base(study, registry)
    check_named_files(named)
    base = moved(named, RunFolder(study.run_folder).base.folder, registry)
    unmet = unmet_needs(base) if "helper" not in roles_of(study) else []
    if unmet:
        raise InvalidFileError(unmet)
    data = load_data(study, supply)
    return Prepared(study, base, data, data.split(study), registry)


def open_study(study: StudyFile, registry: Registry, listen: Listen = silent) -> tuple[Study, StudyData]:
    """A study that can run without models, and what was read for it; see :func:`prepare`."""
    prepared = prepare(study, registry)
    return prepared.study(listen), prepared.data


def idle_roles(study: StudyFile) -> list[str]:
    """Why models that a study names by their roles are not asked, one line each."""
    reasons = {
        "answerer": f"the objective {study.shape.objective} needs no answers",
        "judge": f"the objective {study.shape.objective} needs no answers",
        "proposer": f"the proposer {study.proposer.op} asks no model",
    }
    named = [role for role in study.models if role in study.shape.models.model_fields_set]
    asked = {*roles_of(study), *generating_roles(study)}
    nothing = "no questions are generated; see questions: {generate: {}}"
    if any(isinstance(entry.questions, GeneratedShape) for entry in study.shape.data):
        nothing = "generated questions are not verified"
    return [f"models.{role} is not asked: {reasons.get(role, nothing)}" for role in named if role not in asked]


def generating_roles(study: StudyFile) -> dict[Role, ModelSettings]:
    """The models that make and check generated questions: those of roles that there is work for."""
    shapes = [entry.questions for entry in study.shape.data if isinstance(entry.questions, GeneratedShape)]
    wanted = {role for shape in shapes for role in making_roles(shape.generate)}
    return {role: settings for role, settings in study.models.items() if role in wanted}


def roles_of(study: StudyFile) -> dict[Role, ModelSettings]:
    """The models that a study asks once its questions are there: those of roles that it has work for."""
    idle = {"planner", "reviewer", "reader"}
    if study.shape.objective != "accuracy":
        idle |= {"answerer", "judge"}
    if not study.asks_proposer:
        idle.add("proposer")
    return {role: settings for role, settings in study.models.items() if role not in idle}


def forked(study: StudyFile, name: str) -> StudyFile:
    """The same study under another name, with a run folder and a ledger of its own.

    Raises:
        UserError: the name cannot be one, or is the study's own.
    """
    if re.fullmatch(NAME_PATTERN, name) is None:
        raise UserError(f"--fork {name}: use letters, digits, _, . and -, a letter or a digit first")
    if name == study.name:
        raise UserError(f"--fork {name}: that is the study's own name; choose another")
    storage = study.shape.storage if study.journal is None else None
    return replace(study, shape=study.shape.model_copy(update={"study": name, "storage": storage}))
