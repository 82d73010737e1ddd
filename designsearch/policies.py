"""Memory policies trained, played and measured over histories with questions; shared by the commands of policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.episode_lines import line_of
from designsearch.runtime.compile import compile_design
from designsearch.runtime.named_file_checks import usable_weights
from designsearch.runtime.operators.policy.policy import PolicyParams
from designsearch.runtime.policies.makers import make_policy
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.policies.weights import Weights
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.feature_weights import NothingToLearnError
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.learned.bench import Bench
from designsearch.search.training.learned.contest import Row, contest, table
from designsearch.search.training.learned.learning import Schedule
from designsearch.search.training.learned.policy_training import Trained, features_for, train_policy
from designsearch.search.training.policy_stage import policy_of, reaching_policy

FEWEST = 4
"""Questions with evidence that there must be, so that one of them is held out."""


def benches_of(design: Design, tasks: Sequence[Task], services: Services, names: Sequence[str] = ()) -> list[Bench]:
    """The histories, ready for episodes; those whose questions have no evidence are left out.

    Args:
        design: whose policy it is about.
        tasks: the histories with their questions.
        services: cache, counter and embedder.
        names: features of candidates; all that the design's views allow where none are named.

    Raises:
        UserError: the design has no policy.
        CannotContinueError: no question has evidence.
    """
    _, params = policy_of(design)
    made = []
    for task in tasks:
        memory = compile_design(design, services=services).open(task.full)
        read = names or features_for(memory.store(None).views)
        make = _world(memory, params)
        bench = Bench(task, memory, make, params.search, read)
        if len(bench):
            made.append(bench)
    if not made:
        raise CannotContinueError(
            "no question has evidence in these histories, so there is nothing to learn or measure"
        )
    return made


def _world(memory: Any, params: PolicyParams) -> Callable[..., World]:
    return lambda queries, search: replace(params.world(memory, reaching_policy(memory, queries)), search=search)


def trained(
    design: Design,
    tasks: Sequence[Task],
    services: Services,
    schedule: Schedule,
    tell: Callable[[dict[str, Any]], None] = lambda _: None,
) -> Trained:
    """Train the policy learned for a design.

    Raises:
        UserError: the design has no policy.
        CannotContinueError: no question has evidence among what the searches find, there are too few, or the judge
            could judge no episode.
    """
    benches = benches_of(design, tasks, services)
    asked = sum(map(len, benches))
    if asked < FEWEST:
        raise CannotContinueError(
            f"the policy cannot be trained: it needs {FEWEST} questions with evidence at least, of which a quarter is"
            f" held out; these histories have {asked}"
        )
    try:
        made = train_policy(benches, schedule, tell)
    except NothingToLearnError as error:
        raise CannotContinueError(f"the policy cannot be trained: {error}") from None
    judged = any("played" in point for point in made.learnt.curve)
    if schedule.judge is not None and schedule.iterations and not judged:
        raise CannotContinueError(f"nothing was judged: {schedule.judge.told()}")
    return made


def weights_of(design: Design) -> Weights:
    """The weights of a design's learned policy.

    Raises:
        UserError: the policy of the design is another one, its weights cannot be read, or they read a view that the
            design lacks.
    """
    _, params = policy_of(design)
    file = params.weights_file(design)
    if params.policy != "learned" or file is None:
        raise UserError(f"{design.file}: its policy is {params.policy}; policy: learned with weights: FILE is needed")
    return usable_weights(file, design)


def compared(design: Design, tasks: Sequence[Task], services: Services, tokens: int | None = None) -> list[Row]:
    """The learned policy of a design against all that it must beat, at equal tokens of notes.

    Args:
        design: with ``policy: learned``.
        tasks: the histories with their questions.
        services: cache, counter and embedder.
        tokens: of notes a question in the mean; those that the weights were trained for where not given.
    """
    weights = weights_of(design)
    level = tokens or weights.level
    benches = benches_of(design, tasks, services, weights.features)
    found = contest(benches, {"learned policy": weights}, weights, level)
    return table(found, [bench.task.name for bench in benches for _ in range(len(bench))])


def played(
    design: Design, tasks: Sequence[Task], services: Services, judge: RewardJudge | None = None
) -> Iterator[dict[str, Any]]:
    """The episodes of a design's policy, one a question, as lines of a file.

    Args:
        design: with a policy.
        tasks: the histories with their questions.
        services: cache, counter, embedder and helper.
        judge: a reward model whose scores of the steps are written too.

    Raises:
        UserError: the design has no policy, or it cannot be made.
        OutOfBudgetError, CannotContinueError: as the judge's model.
    """
    _, params = policy_of(design)
    for task in tasks:
        memory = compile_design(design, services=services).open(task.full)
        queries = reaching_policy(memory, task.queries(range(len(task.questions))))
        world = params.world(memory, queries)
        episodes = rollout(world, make_policy(params.policy, world, params.weights_file(design)))
        judged = [Judged(question, one, memory) for question, one in zip(task.questions, episodes, strict=True)]
        opinions = judge.judge(judged) if judge else [None] * len(judged)
        for one, opinion in zip(judged, opinions, strict=True):
            yield line_of(task.name, one, opinion)
