"""How an episode begins where a model works it off in one conversation, as trainers of language models run it."""

from __future__ import annotations

from designsearch.prompts.load import prompt
from designsearch.runtime.asking import day_of
from designsearch.runtime.episodes.states import State

PROMPT = "policy/conversation"


def conversation(state: State) -> list[dict[str, str]]:
    """The messages that tell a model the question and what it may do.

    Args:
        state: where the episode begins.

    Returns:
        Each message with ``role`` and ``content``.
    """
    made = prompt(PROMPT).render(question=state.question, as_of=day_of(state.as_of), steps=state.max_steps)
    return [{"role": author, "content": text} for author, text in made]
