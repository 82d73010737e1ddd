"""Questions with evidence, made from histories that nobody has labelled: what the command and Python share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from designsearch.consent import Says, note
from designsearch.crew import Models, Named, read_models
from designsearch.dsl.problems import OutOfBudgetError, UserError
from designsearch.inputs import open_histories
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.file_names import file_stems
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.search.lock import Say
from designsearch.search.new_folder import check_makable, make_folder
from designsearch.search.purse import Purse, check_models, open_purse
from designsearch.search.supervision.folder import SupervisionFolder
from designsearch.search.supervision.generate import Progress, generate_questions
from designsearch.search.supervision.outcome import Supervision
from designsearch.search.supervision.roles import make_cast, work_of
from designsearch.search.supervision.settings import SupervisionSettings, making_roles


def _unheard(_: object) -> None:
    """Say nothing."""


def _unseen(_: str) -> AbstractContextManager[Progress]:
    return nullcontext(_unheard)


@dataclass(frozen=True)
class Audience:
    """Who hears what a generation has to say.

    Attributes:
        consent: shows the note about what becomes of a history; ``None`` where nobody could read it.
        say: hears notes, and which server gets what.
        follow: opened with the name of each history while its questions are made; what it gives hears how far they
            are.
    """

    consent: Says | None = None
    say: Say = _unheard
    follow: Callable[[str], AbstractContextManager[Progress]] = _unseen


def supervise(
    history: str | Path,
    out: str | Path,
    settings: SupervisionSettings | None = None,
    *,
    format: str = "auto",  # noqa: A002  the word of the option
    sources: Sequence[str] | None = None,
    models: Models | None = None,
    resume: bool = False,
    jobs: int = 1,
    audience: Audience | None = None,
) -> dict[str, Supervision]:
    """Make questions with evidence from histories.

    Args:
        history: a file or folder, or ``PATH#NAME``. Of several histories each gets as many questions as are asked for,
            in a folder of its own within ``out``.
        out: the folder that they go to.
        settings: how many, and how.
        format: the format of the history; ``auto`` finds out.
        sources: keep only records from these sources.
        models: who plans, reviews and reads: a file of models, a study file, or a mapping as a study's ``models``;
            rules where not given.
        resume: whether to go on where this was left in the same folder.
        jobs: processes, where rules play all roles.
        audience: who hears of it.

    Returns:
        By history, the questions and what they came from.

    Raises:
        UserError: something named is not there or not valid; the folder was used before and ``resume`` is not set.
        CannotContinueError: what was begun there was something else; a model cannot be asked.
        OutOfBudgetError: the budget is used up; what was made is kept.
    """
    settings, audience, root = settings or SupervisionSettings(), audience or Audience(), Path(out)
    named = read_models(models)
    datasets = open_histories([str(history)], format, sources)
    folders = _folders(datasets, root)
    for folder in folders.values():
        if SupervisionFolder(folder).begun() and not resume:
            raise UserError(f"{folder}: questions were generated here before; --resume goes on, or name another folder")
    with _purse(named, settings, root, audience.say) as purse:
        for line in purse.team.destinations() if purse.team is not None else ():
            audience.say(line)
        made: dict[str, Supervision] = {}
        for dataset in datasets:
            named_as = str(history) if len(datasets) == 1 else f"{history}#{dataset.name}"
            made[dataset.name] = _one(dataset, named_as, folders[dataset.name], settings, purse, jobs, audience)
        return made


def _folders(datasets: Sequence[Dataset], root: Path) -> dict[str, Path]:
    if root.exists() and not root.is_dir():
        raise UserError(f"{root}: is a file; name a folder")
    if len(datasets) == 1:
        return {datasets[0].name: root}
    return {name: root / stem for name, stem in file_stems(one.name for one in datasets).items()}


@contextmanager
def _purse(named: Named, settings: SupervisionSettings, root: Path, say: Say) -> Iterator[Purse]:
    """The models of a generation; replies and money are kept in its folder, so that caps hold over all its runs."""
    roles = making_roles(settings)
    models = {role: one for role, one in named.by_role.items() if role in roles}
    caps = Caps(named.budget.usd, named.budget.llm_calls)

    check_models(models, caps)
    check_makable(root)

    def store() -> CallStore:
        make_folder(root)
        return CallStore(SupervisionFolder(root).calls)

    purse = open_purse(models, store, caps, say)
    try:
        yield purse
    except OutOfBudgetError as error:
        hint = f"see the budget in {named.file}" if named.file else "see the budget"
        raise OutOfBudgetError(f"{error}; all that was made is kept: {hint}, and go on with --resume") from error
    finally:
        purse.close()


def _one(
    dataset: Dataset,
    named_as: str,
    folder: Path,
    settings: SupervisionSettings,
    purse: Purse,
    jobs: int,
    audience: Audience,
) -> Supervision:
    history = dataset.history()
    destinations = purse.team.destinations() if purse.team is not None else []
    if audience.consent is not None:
        note(audience.consent, named_as, history.fingerprint, destinations, folder)
    cast = make_cast(history, settings, purse)
    purse.check()
    purse.begin(work_of(history))
    with audience.follow(dataset.name) as progress:
        return generate_questions(
            history,
            settings,
            cast,
            folder,
            official=[question.question for question in dataset.questions],
            progress=progress,
            say=audience.say,
            jobs=jobs,
        )
