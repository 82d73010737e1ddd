"""Who rewards the steps of episodes, as --reward names it: the small model of a file, or the reviewer of --models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from designsearch.cli.parser import Parser
from designsearch.dsl.problems import UserError

if TYPE_CHECKING:
    from designsearch.crew import Crew
    from designsearch.runtime.models.settings import Role
    from designsearch.search.training.judging.opinions import RewardJudge

REVIEWER: Final = "reviewer"


def add_reward(parser: Parser, what: str) -> None:
    """Declare ``--reward``.

    Args:
        parser: of the command.
        what: it does there.
    """
    parser.add_argument("--reward", metavar="FILE", help=f"a reward.json of policy pairs {what}, or the word reviewer")


def judging_roles(named: str | None) -> tuple[Role, ...]:
    """The role of a language model that judges, where it is named."""
    return (REVIEWER,) if named == REVIEWER else ()


def small_judge(named: str | None) -> RewardJudge | None:
    """The reward model of the file, where one is named.

    Raises:
        UserError: it cannot be read.
    """
    from designsearch.search.training.reward_model.categorical_judge import CategoricalJudge
    from designsearch.search.training.reward_model.reward_file import load_reward

    return None if named is None or named == REVIEWER else CategoricalJudge(load_reward(Path(named)))


def reviewing_judge(named: str | None, models: Crew) -> RewardJudge | None:
    """The language model that judges, where it is named.

    Raises:
        UserError: there is none.
    """
    from designsearch.search.training.judging.generative_reward import GenerativeReward

    if named != REVIEWER:
        return None
    model = models.team.model(REVIEWER)
    if model is None:
        raise UserError("--reward reviewer needs a model in the role reviewer: name it in the file of --models")
    return GenerativeReward(model)
