import os
import pathlib

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.base import Ask, answerer
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.records import Context

GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "models"


@pytest.mark.parametrize("config", [None, "offline", {"model": "offline"}])
def test_offline_is_the_default_and_has_a_name(config):
    made = answerer(config)
    assert isinstance(made, OfflineAnswerer)
    assert made.name == "offline"


@pytest.mark.parametrize(
    ("golden", "config"),
    [
        ("unknown_model", {"model": "some-model", "base_url": "http://127.0.0.1:1/v1"}),
        ("misspelt_model", "ofline"),
        ("model_is_no_name", {"model": 5}),
        ("model_is_missing", {}),
    ],
)
def test_another_model_is_refused_naming_what_is_supported(golden, config):
    with pytest.raises(UserError) as caught:
        answerer(config)
    file = GOLDEN / f"{golden}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(f"{caught.value}\n", encoding="utf-8")
    assert f"{caught.value}\n" == file.read_text(encoding="utf-8")


def test_an_answer_says_what_it_cost():
    answer = answerer().answer_all([Ask("Who baked the bread?", Context("Ines baked the bread.", 0, ()))])[0]
    assert (answer.text, answer.abstained, answer.calls, answer.cost) == ("Ines", False, 0, 0.0)
    assert 0 <= answer.seconds < 5
