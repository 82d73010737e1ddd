from __future__ import annotations

from llm_fakes import failure, small_registry, state

from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.proposers.llm_request import build_request
from designsearch.search.proposers.llm_room import fitted, wanted_context
from designsearch.search.study_choices import LlmOptions

LOCAL = ModelSettings(model="local", context_tokens=8192, max_output_tokens=1024)


def test_requests_fit_what_a_local_model_reads_beside_its_reply():
    assert fitted(LlmOptions(), LOCAL).tokens == 5376  # three quarters of 8192 - 1024
    assert fitted(LlmOptions(tokens=700, failures=3), LOCAL) == LlmOptions(tokens=700, failures=3)
    assert fitted(LlmOptions(), LOCAL.model_copy(update={"max_output_tokens": 9000})).tokens == 500


def test_what_a_server_reads_is_not_known():
    assert fitted(LlmOptions(), ModelSettings(model="qwen3", context_tokens=1024)) == LlmOptions()
    assert wanted_context(ModelSettings(model="qwen3", context_tokens=1024), small_registry(), helper=True) is None


def test_what_is_wanted_has_room_for_a_request_with_failures():
    registry = small_registry()
    wanted = wanted_context(ModelSettings(model="local", context_tokens=256), registry, helper=True)
    assert wanted is not None
    enough = ModelSettings(model="local", context_tokens=wanted)
    assert wanted_context(enough, registry, helper=True) is None
    assert wanted_context(ModelSettings(model="local", context_tokens=wanted - 1100), registry, helper=True) is not None
    options = fitted(LlmOptions(), enough)
    request = build_request(state(failures=[failure()], registry=registry), options, BundledCounter())
    text = "\n".join(message.content for message in request.messages)
    assert '"blamed"' in text
    assert BundledCounter().count_all([text])[0] <= options.tokens
