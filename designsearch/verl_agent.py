"""What verl makes the episodes of a memory policy by: named as ``_target_`` in the file of its agent loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from designsearch.search.training.environments.playground import Playground


def memory_agent(
    design: str, history: str | Sequence[str], questions: str = "official", where: Sequence[str] = (), **given: Any
) -> Any:
    """An agent loop over the histories that some files hold; they are read once in a process.

    Args:
        design: the file of a design with a stage ``op: policy``.
        history: files or folders, as ``--history`` of the commands takes them; the files must be the same that
            ``designsearch policy pairs`` made the rows from.
        questions: as ``--questions``.
        where: as ``--where``.
        given: what verl gives to an agent loop.

    Raises:
        UserError: a file cannot be read, or has a mistake.
    """
    from designsearch.search.training.environments.verl_loop import MemoryAgentLoop

    names = (history,) if isinstance(history, str) else tuple(history)
    return MemoryAgentLoop(_grounds(design, names, questions, tuple(where)), **given)


@cache
def _grounds(design: str, history: tuple[str, ...], questions: str, where: tuple[str, ...]) -> Mapping[str, Playground]:
    from designsearch.inputs import open_design, open_histories, open_tasks
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.runtime.services import Services
    from designsearch.search.training.environments.playground import playground

    opened = open_design(design)
    tasks, _ = open_tasks(open_histories(history), questions, where)
    services = Services(cache=Cache(default_folder()))
    return {task.full.name: playground(opened, task, services) for task in tasks}
