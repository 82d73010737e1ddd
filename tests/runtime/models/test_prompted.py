import pytest

from designsearch.prompts.load import prompt
from designsearch.runtime.models.prompted import bare_length, messages_of, object_of, prompted
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.token_counter import BundledCounter


def test_a_request_holds_the_prompts_messages_and_what_is_wanted():
    schema = object_of(questions={"type": "array"})
    made = prompted("memory/questions", schema, max_output_tokens=50, replicate=2, text="Two cats.", count=3)
    assert made.prompt == prompt("memory/questions").identity
    assert [message.role for message in made.messages] == ["system", "user"]
    assert "At most 3 questions" in made.messages[0].content
    assert "\nTwo cats.\n" in made.messages[1].content
    assert (made.schema, made.max_output_tokens, made.replicate) == (schema, 50, 2)


def test_a_variable_that_is_missing_is_a_mistake():
    with pytest.raises(TypeError, match="see count"):
        prompted("memory/questions", text="Two cats.")


def test_an_object_is_closed_and_needs_all_of_its_properties_in_order():
    made = object_of(b={"type": "string"}, a={"type": "null"})
    assert (list(made["properties"]), made["required"], made["additionalProperties"]) == (["b", "a"], ["b", "a"], False)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(text="x"), ""),
        (Reply(failure="timeout"), "timeout"),
        (Reply(failure="server", detail="500: boom"), "server: 500: boom"),
    ],
)
def test_why_a_reply_failed_is_told_in_one_piece(reply, why):
    assert (reply.why, reply.ok) == (why, not why)


def test_the_bare_length_is_that_of_the_prompts_own_words():
    bare = bare_length("memory/questions")
    filled = messages_of("memory/questions", text="Two cats. " * 50, count="")
    assert 0 < bare < int(BundledCounter().count_all([message.content for message in filled]).sum()) - 100
