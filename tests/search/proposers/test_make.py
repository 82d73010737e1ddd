from __future__ import annotations

import pytest

from designsearch.dsl.problems import UserError
from designsearch.search.proposers.make import make_proposer
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.study_choices import LlmOptions, MixedOptions, RulesOptions
from designsearch.search.study_file import Choice


class Named:
    def __init__(self, name, options=None):
        self.name = name
        self.options = options


def made(op, options, llm=None):
    return make_proposer(Choice(op, options), lambda: Named("fit"), llm)


def asks(options):
    return Named("llm", options)


def names(proposer):
    return [one.name for one in proposer.proposers]


def test_the_model_gets_the_options_of_the_study():
    assert made("llm", LlmOptions(failures=3), asks).options.failures == 3
    assert isinstance(made("rules", RulesOptions(), asks), RulesProposer)


def test_a_model_joins_the_others_at_the_end_where_there_is_one():
    assert names(made("mixed", MixedOptions())) == ["rules", "fit", "sampler"]
    assert names(made("mixed", MixedOptions(), asks)) == ["rules", "fit", "sampler", "llm"]


def test_who_is_named_is_asked_and_nobody_else():
    assert names(made("mixed", MixedOptions(of=("llm", "rules", "llm")), asks)) == ["llm", "rules"]
    assert names(made("mixed", MixedOptions(of=("rules",)), asks)) == ["rules"]


@pytest.mark.parametrize(("op", "options"), [("llm", LlmOptions()), ("mixed", MixedOptions(of=("rules", "llm")))])
def test_without_a_model_it_is_said(op, options):
    with pytest.raises(UserError, match="llm needs a model for the role proposer"):
        made(op, options)
