"""Whether the files of weights that a design names can be read, for whoever checks a design without running it."""

from __future__ import annotations

from designsearch.dsl.design import Design
from designsearch.dsl.needs import stages_of
from designsearch.dsl.problems import Problem, UserError
from designsearch.dsl.source import scan
from designsearch.runtime.operators.policy.policy import PolicyParams
from designsearch.runtime.policies.weights import load_weights


def weights_problems(design: Design) -> list[Problem]:
    """One problem a file of weights of a learned policy that is none; empty where all can be read."""
    source = scan(design.text, design.file)
    found = []
    for path, stage in stages_of(design):
        params = stage.params
        if not isinstance(params, PolicyParams) or params.policy != "learned":
            continue
        file = params.weights_file(design)
        try:
            if file is not None:
                load_weights(file)
        except UserError as error:
            found.append(source.problem((*path, "weights"), str(error)))
    return found
