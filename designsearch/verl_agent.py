"""What verl makes the episodes of a memory policy by: named as ``_target_`` in the file of its agent loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from designsearch.search.training.environments.playground import Playground


def memory_agent(
    design: str, history: str | Sequence[str], questions: str | Sequence[str] = "official", **given: Any
) -> Any:
    """An agent loop over the histories that some files hold; they are read once in a process.

    Args:
        design: the file of a design with a stage ``op: policy``.
        history: files or folders, as ``--history`` of the commands takes them; those that ``designsearch policy pairs``
            made the rows from.
        questions: files, as ``--questions`` takes them: those to train with and those held out.
        given: what verl gives to an agent loop.

    Raises:
        UserError: a file cannot be read, or has a mistake.
    """
    from designsearch.search.training.environments.verl_loop import MemoryAgentLoop

    histories, files = ((names,) if isinstance(names, str) else tuple(names) for names in (history, questions))
    return MemoryAgentLoop(_grounds(design, histories, files), **given)


@cache
def _grounds(design: str, history: tuple[str, ...], questions: tuple[str, ...]) -> Mapping[str, Sequence[Playground]]:
    from designsearch.inputs import open_design, open_histories, open_tasks
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.runtime.services import Services
    from designsearch.search.training.environments.playground import playground

    opened, datasets = open_design(design), open_histories(history)
    services = Services(cache=Cache(default_folder()))
    found: dict[str, list[Playground]] = {}
    for file in questions:
        for task in open_tasks(datasets, file)[0]:
            found.setdefault(task.full.name, []).append(playground(opened, task, services))
    return found
