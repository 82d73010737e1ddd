"""The keys of a study file, each declared once: the schema for editors, validation and the reference page follow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, WithJsonSchema

from designsearch.dsl.operators import Params, param
from designsearch.runtime.models.settings import OFFLINE, ROLES, ModelSettings, Role
from designsearch.search.contracts import Part
from designsearch.search.supervision.settings import SupervisionSettings

Objective = Literal["accuracy", "evidence_coverage", "evidence_recall"]
HistoryView = Literal["all", "as_of"]
SplitBy = Literal["auto", "history", "question"]
Backend = Literal["serial", "threading", "loky"]

NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"
"""What a study may be called: the name of a folder on any system."""


class WhereShape(Params):
    """Which questions are used; every filter must hold."""

    type: str | tuple[str, ...] | None = param(None, about="Only questions of these types.")
    evidence: str | tuple[str, ...] | None = param(
        None, about="Only questions all of whose evidence is from these sources."
    )
    answerable: bool | None = param(None, about="Only questions that have an answer, or only those that have none.")


class GeneratedShape(Params):
    """Questions that are made from the history itself, and kept in the run folder, under ``supervision``."""

    generate: SupervisionSettings = param(
        SupervisionSettings(), about="How many, and how; the seed is the study's where none is named."
    )


class DataShape(Params):
    """One history with its questions; the memory is its own, the design is shared."""

    history: str = param(
        about="File or folder of the history; PATH#NAME takes one out of a set, ${NAME} comes from the environment.",
        min_length=1,
    )
    format: str = param("auto", about="Format of the history; auto finds out.")
    questions: str | GeneratedShape = param(
        "official",
        about="official for those that the data set brings, a file of questions, a folder of supervise (its files are "
        "then the shares), or {generate: {...}} for questions made from the history.",
    )
    where: WhereShape | None = param(None, about="Filters on the questions.")
    sources: tuple[str, ...] | None = param(None, about="Only records from these sources; all where none is named.")
    split: Part | None = param(None, about="Puts the whole history into one share of the questions.")


class SplitShape(Params):
    """How the questions are divided; the shares add up to 1."""

    train: float = param(0.5, about="Share of the questions whose failures are diagnosed.", gt=0, lt=1)
    validation: float = param(0.3, about="Share of the questions that revisions are judged on.", gt=0, lt=1)
    locked: float = param(0.2, about="Share that is looked at once, for the claim at the end.", ge=0, lt=1)
    confirm: float = param(0.0, about="Share that accepted revisions are confirmed on (accept: confirm).", ge=0, lt=1)
    by: SplitBy = param(
        "auto",
        about="history keeps each history in one share, question keeps questions with shared evidence together; "
        "auto takes histories where there are three or more.",
    )


RoleModel = Literal["offline", "local"] | ModelSettings
"""Who plays a role: rules, the GGUF file on this machine, or a model with its settings."""


class ModelsShape(Params):
    """Who plays each role; offline is rules that need no model and no network."""

    default: RoleModel | None = param(
        None, about="Plays every role that is not named here, except that of the embedder."
    )
    answerer: RoleModel = param(OFFLINE, about="Answers the questions (objective: accuracy).")
    judge: RoleModel = param(OFFLINE, about="Compares answers that no rule can; offline leaves them unmeasured.")
    proposer: RoleModel = param(OFFLINE, about="Proposes revisions (proposer: llm).")
    planner: RoleModel = param(OFFLINE, about="Plans questions that are generated.")
    reviewer: RoleModel = param(OFFLINE, about="Reviews questions that are generated.")
    reader: RoleModel = param(OFFLINE, about="Answers generated questions blindly, to check them.")
    helper: RoleModel = param(OFFLINE, about="Works for operators that need a model.")
    embedder: RoleModel = param(OFFLINE, about="Turns texts into vectors; offline is the bundled one.")

    def named(self, folder: Path = Path()) -> dict[Role, ModelSettings]:
        """The roles that a model plays, each with its settings; the others are played by rules.

        Args:
            folder: what paths in the settings are relative to; the working folder where not given.
        """
        found: dict[Role, ModelSettings] = {}
        for role in ROLES:
            given = getattr(self, role) if role in self.model_fields_set else self._default_of(role)
            settings = ModelSettings(model=given) if isinstance(given, str) else given
            if settings is not None and settings.model != OFFLINE:
                found[role] = settings.beside(folder)
        return found

    def _default_of(self, role: Role) -> RoleModel | None:
        return self.default if role != "embedder" else None


class BudgetShape(Params):
    """Hard caps; a study stops before the first one is passed."""

    trials: int = param(30, about="Revisions that are scored; invalid and repeated ones do not count.", ge=1)
    usd: float | None = param(None, about="US dollars for models.", gt=0)
    llm_calls: int | None = param(None, about="Calls to models.", ge=1)
    minutes: float | None = param(None, about="Minutes of work, over all runs of the study.", gt=0)


class ExecutionShape(Params):
    """Where the work runs: questions in parallel, trials one after another."""

    backend: Backend = param("serial", about="serial, threading or loky (processes).")
    jobs: int = param(1, about="Workers.", ge=1)


class ChoiceShape(Params):
    """Something with an ``op`` and options that depend on it; read by ``options_of`` in ``study_file.py``."""

    model_config = ConfigDict(extra="allow")

    op: str = param(about="Which one.")


ProposerStage = Annotated[ChoiceShape, WithJsonSchema({"type": "object"})]
AcceptStage = Annotated[ChoiceShape, WithJsonSchema({"type": "object"})]


class StudyShape(Params):
    """A study: which histories, which start, what is better, how long."""

    version: Literal[1] = param(about="Version of the study format.")
    study: str = param(about="The study's name.", pattern=NAME_PATTERN)
    data: tuple[DataShape, ...] = param(about="The histories, one entry each.", min_length=1)
    split: SplitShape = param(SplitShape(), about="How the questions are divided.")
    base: str = param(about="The design to start from: a file, or an earlier study's STUDY@best.", min_length=1)
    context_budget: int = param(4000, about="The most tokens a context may have, equal for all designs.", ge=1)
    history_view: HistoryView = param(
        "all", about="as_of hides from a question what was known only after it was asked; all hides nothing."
    )
    models: ModelsShape = param(ModelsShape(), about="Who plays each role.")
    objective: Objective = param(
        "evidence_coverage", about="What is to rise; accuracy as soon as there is a model worth the name."
    )
    proposer: ProposerStage = param(ChoiceShape(op="mixed"), about="Who proposes revisions.")
    accept: AcceptStage = param(ChoiceShape(op="paired"), about="When a revision is better.")
    budget: BudgetShape = param(BudgetShape(), about="Hard caps.")
    execution: ExecutionShape = param(ExecutionShape(), about="Where the work runs.")
    storage: str | None = param(
        None,
        about="Optuna's storage: a .log journal, sqlite:/// or postgresql://; runs/STUDY/journal.log if not given.",
    )
    seed: int = param(0, about="Of everything random.", ge=0, lt=2**32)
    notes: Any = param(None, about="Anything, for people; ignored.")
