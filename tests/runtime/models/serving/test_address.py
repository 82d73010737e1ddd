"""Where a model answers."""

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.serving.address import OPENAI, address_of
from designsearch.runtime.models.settings import ModelSettings


def at(url, **more):
    return address_of("helper", ModelSettings(model="m", base_url=url, **more))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("https://models.example/v1/", "https://models.example/v1"),
        (" http://[::1]:8080/v1 ", "http://[::1]:8080/v1"),
        ("http://localhost:11434", "http://localhost:11434"),
    ],
)
def test_an_address_has_one_form(written, meant):
    assert at(written).url == meant
    assert at(written).key is None


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("127.0.0.1:8080/v1", "127.0.0.1:8080/v1 has no scheme; write http://127.0.0.1:8080/v1"),
        ("localhost:8080/v1", "localhost:8080/v1 has no scheme; write http://localhost:8080/v1"),
        ("api.example.com/v1", "api.example.com/v1 has no scheme; write https://api.example.com/v1"),
        ("http://h:1/v1/chat/completions", "is the address of one kind of call; write the server's, http://h:1/v1"),
        ("http://h:1/v1/embeddings/", "is the address of one kind of call; write the server's, http://h:1/v1"),
        ("ftp://h/v1", "ftp://h/v1 is no address of a server; write http://HOST:PORT/v1 or https://"),
        ("ftp://[h/v1", "(no address) is no address of a server; write http://HOST:PORT/v1 or https://"),
        ("http:///v1", "names no host that can be asked; write http://HOST:PORT/v1"),
        ("http://h:99999/v1", "names no host that can be asked; write http://HOST:PORT/v1"),
        ("http://h:eighty/v1", "names no host that can be asked; write http://HOST:PORT/v1"),
        ("http://h:1/v 1", "names no host that can be asked; write http://HOST:PORT/v1"),
    ],
)
def test_a_wrong_address_is_told_with_the_right_form(written, told):
    with pytest.raises(UserError) as error:
        at(written)
    assert str(error.value).startswith("models.helper.base_url: ")
    assert str(error.value).endswith(told)


def test_a_password_in_an_address_is_not_shown():
    place = at("https://me:secret@models.example/v1")
    assert place.shown == "https://models.example/v1"
    with pytest.raises(UserError) as error:
        at("https://me:secret@models.example/v1/completions")
    assert "secret" not in str(error.value)
    for wrong in ("me:secret@models.example/v1", "https://me:secret@/v1", "https://me:secret@h:eighty/v1"):
        with pytest.raises(UserError) as error:
            at(wrong)
        assert "secret" not in str(error.value)


@pytest.mark.parametrize("behind", ["?api_key=sk-secret", "#sk-secret", "?api-version=1"])
def test_an_address_has_nothing_behind_it(behind):
    with pytest.raises(UserError) as error:
        at(f"https://me:secret@models.example/v1{behind}")
    assert "models.helper.base_url: https://models.example/v1 has more behind it" in str(error.value)
    assert "secret" not in str(error.value)


def test_the_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    place = at("http://h:1/v1", api_key_env="MY_KEY")
    assert place.key == "sk-very-secret"
    assert "very-secret" not in repr(place)


def test_a_variable_that_is_not_set_is_named(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UserError) as error:
        at("http://h:1/v1", api_key_env="MY_KEY")
    assert str(error.value) == (
        "models.helper.api_key_env: the environment variable MY_KEY is not set; set it with: export MY_KEY=KEY"
    )
    monkeypatch.setenv("MY_KEY", "  ")
    with pytest.raises(UserError):
        at("http://h:1/v1", api_key_env="MY_KEY")


def test_without_an_address_it_is_openai_with_its_own_variable(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    place = at(None)
    assert (place.url, place.key) == (OPENAI, "sk-1")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UserError, match="OPENAI_API_KEY is not set, since no base_url is given"):
        at(None)


def test_a_replay_needs_no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert address_of("helper", ModelSettings(model="m"), needs_key=False).key is None


def test_the_key_of_one_server_is_not_sent_to_another(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert at("http://elsewhere:1/v1").key is None
