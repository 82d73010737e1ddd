"""The memory policy's episodes as verl plays them: an agent loop of its own, with the tools of AiO-Mem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, ToolListWrap
from verl.experimental.agent_loop.tool_agent_loop import ToolAgentLoop
from verl.tools.function_tool import FunctionTool
from verl.tools.schemas import OpenAIFunctionToolSchema

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.requests import Tool
from designsearch.runtime.policies.tools import TOOLS
from designsearch.search.training.environments.playground import Playground
from designsearch.search.training.environments.trl_env import MemoryEnv
from designsearch.search.training.guard import Guard


class MemoryAgentLoop(ToolAgentLoop):
    """Plays one episode; verl makes one for each.

    Its tools are those of :class:`~designsearch.search.training.environments.trl_env.MemoryEnv`, its reward that of the
    whole episode, so that verl asks no function of reward. ``evidence_recall`` is told beside it. What a history says
    stays text, whatever tokens of its own the tokenizer has.

    Args:
        grounds: the histories by name, each as often as there are files of questions about it.
        given: what verl gives to an agent loop.
    """

    def __init__(self, grounds: Mapping[str, Sequence[Playground]], **given: Any) -> None:
        super().__init__(**{**given, "tools": ToolListWrap([self._tool(tool) for tool in TOOLS.values()])})
        # verl's own form of a tool does not know what a list holds, and the model should
        self.tool_schemas = [_written(tool) for tool in TOOLS.values()]
        self._grounds = grounds
        self._guard = Guard.of(self.tokenizer)
        self._env: MemoryEnv | None = None

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Play the episode of a row.

        Args:
            sampling_params: how the model samples.
            row: of :func:`~designsearch.search.training.data.rollout_rows.rollout_rows`.

        Raises:
            UserError: its question is not among those that the loop was given.
        """
        env = self._env = self._start(row["extra_info"])
        row["raw_prompt"] = self._guard.messages(row["raw_prompt"])
        output = await super().run(sampling_params, **row)
        output.reward_score = env.get_reward()
        output.extra_fields["reward_extra_info"] = {"evidence_recall": env.recall}
        return output

    def _start(self, place: Mapping[str, Any]) -> MemoryEnv:
        name, question = place["history"], place["question_id"]
        ground = next((one for one in self._grounds.get(name, ()) if question in one.rows), None)
        if ground is None:
            raise UserError(
                f"question {question} of history {name} is in a row of the training data and not in the files that the"
                " agent loop names: name those that the rows were made from"
            )
        env = MemoryEnv(ground.world, ground.gold, self._guard)
        env.reset(row=ground.rows[question])
        return env

    def _tool(self, tool: Tool) -> FunctionTool:
        # asynchronous, since verl runs other functions in threads, and the calls of one turn change one episode in turn
        async def call(**arguments: Any) -> str:
            return str(getattr(self._env, tool.name)(**arguments))

        return FunctionTool(tool.name, call, OpenAIFunctionToolSchema.model_validate(_written(tool)), is_async=True)


def _written(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.about, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}
