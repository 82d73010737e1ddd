"""What a study's models cannot do as they are named: told before anything is asked, and the study runs all the same."""

from __future__ import annotations

from collections.abc import Iterator

from designsearch.dsl.operators import Registry
from designsearch.search.proposers.llm_room import wanted_context
from designsearch.search.study_file import StudyFile
from designsearch.search.study_setup import roles_of


def doubts(study: StudyFile, registry: Registry) -> Iterator[str]:
    """One line each, with what to do."""
    models = roles_of(study)
    if "answerer" in models and "judge" not in models:
        yield (
            "models.judge is not named: answers that no rule can compare will not be measured; "
            'add judge: {model: NAME, base_url: "http://127.0.0.1:8080/v1"}'
        )
    proposer = models.get("proposer")
    wanted = wanted_context(proposer, registry, helper="helper" in models) if proposer is not None else None
    if proposer is not None and wanted is not None:
        yield (
            f"models.proposer: a request for a proposal is longer than the {proposer.context_tokens:,} tokens that "
            f"local reads at once; write proposer: {{model: local, context_tokens: {wanted}}}, or proposer: offline"
        )
