"""Propose a ``score`` stage whose weights are fitted on the training questions' evidence, or new weights for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.search.feature_table import feature_names, feature_table
from designsearch.search.feature_weights import Fitted, adapt_weights, fit_weights
from designsearch.search.proposers.base import Proposal, ProposalState
from designsearch.search.proposers.structure import RRF
from designsearch.search.proposers.workpiece import Stage, Workpiece
from designsearch.search.study_evaluator import StudyEvaluator

CANDIDATES = 2000
"""How many units a retriever brings at least: a score can only raise what is there."""

WINDOWS: Mapping[str, Stage] = {
    "beside": {"op": "window", "before": 1, "after": 1},
    "around": {"op": "window", "before": 2, "after": 2},
}
REPLIES: Mapping[str, Stage] = {"replied": {"op": "roles", "before": 0, "after": 1}}
SESSIONS: Mapping[str, Stage] = {"conversation": {"op": "session_text"}}


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to fit.

    Attributes:
        name: as proposals remember it.
        views: views that features may read beside those of the incumbent.
        l2: strength of the regularisation.
        few: whether features that do not help held-out questions are dropped.
        adapts: whether the incumbent's own weights are moved, instead of weights being learnt anew.
    """

    name: str
    views: Mapping[str, Stage] = field(default_factory=dict)
    l2: float = 10.0
    few: bool = True
    adapts: bool = False


ALL: Mapping[str, Stage] = {**WINDOWS, **REPLIES, **SESSIONS}

VARIANTS = (
    Variant("adapted", adapts=True),
    Variant("all_views", ALL),
    Variant("own_views"),
    Variant("firmer", ALL, l2=40.0),
    Variant("freer", ALL, l2=3.0),
    Variant("every_feature", ALL, few=False),
)


class FitProposer:
    """Learns from the training questions' evidence, never from the validation questions.

    Args:
        evaluator: runs designs on the training questions.
    """

    name = "fit"

    def __init__(self, evaluator: StudyEvaluator) -> None:
        self._evaluator = evaluator

    def propose(self, state: ProposalState) -> Proposal | None:
        """The next way of fitting that was not tried on this incumbent; ``None`` after the last."""
        done = {
            attempt.proposal.params.get("variant")
            for attempt in state.attempts
            if attempt.parent == state.design.hash and attempt.proposal.proposer == self.name
        }
        for variant in VARIANTS:
            if variant.name not in done and (not variant.adapts or _learnt_elsewhere(state)):
                made = self._attempt(state, variant)
                if made is not None:
                    return made
        return None

    def _attempt(self, state: ProposalState, variant: Variant) -> Proposal | None:
        piece = Workpiece.of(state)
        try:
            self._prepare(piece, variant)
            fitted = self._fit(piece, state, variant)
        except (UserError, ValueError):
            return None
        _put_score(piece, fitted.weights)
        piece.drop_unused_views()
        if piece.fresh(state) is None:
            return None
        return piece.proposal(
            rationale=f"weights of {len(fitted.weights)} features, fitted on the evidence of {fitted.questions} "
            f"training questions (held-out loss {fitted.loss:.3f} a question)",
            expected="evidence rises among the candidates that are found already",
            proposer=self.name,
            params={"variant": variant.name},
        )

    def _prepare(self, piece: Workpiece, variant: Variant) -> None:
        """Views to read, and retrievers that bring enough candidates."""
        for name, view in variant.views.items():
            if self._has_roles() or view["op"] != "roles":
                piece.add_view(name, view)
        if not piece.searches("dense", "raw"):
            piece.add_retriever({"op": "dense", "k": CANDIDATES}, RRF)
        for i, stage in enumerate(piece.stages):
            if stage.get("op") == "dense" and stage.get("view", "raw") == "raw" and stage.get("k", 200) < CANDIDATES:
                piece.set((*piece.cascade, i, "k"), CANDIDATES)

    def _has_roles(self) -> bool:
        return any(len([r for r in task.full.roles.names if r]) > 1 for task in self._evaluator.tasks)

    def _fit(self, piece: Workpiece, state: ProposalState, variant: Variant) -> Fitted:
        design = load_design(piece.text, state.design.file, state.registry, state.design.base_dir)
        passes = self._evaluator.passes(design, "train")
        at = _place(piece)
        if not passes or at == 0 or piece.policy is not None:  # a policy leaves no rankings of its searches
            raise ValueError("there is nothing to learn from")
        names = feature_names(state.registry, passes[0].memory)
        table = feature_table(passes, at - 1, [n for n in names if n != "score"], state.random("fit"))
        if variant.adapts:
            return adapt_weights(table, variant.l2, piece.stages[at]["features"])
        return fit_weights(table, variant.l2, few=variant.few)


def _learnt_elsewhere(state: ProposalState) -> bool:
    """Whether the incumbent scores with weights that this study did not fit: they know more than its questions do."""
    scores = any(stage.op == "score" for stage in state.design.retrieval)
    return scores and not any(a.accepted and a.proposal.proposer == FitProposer.name for a in state.attempts)


def _place(piece: Workpiece) -> int:
    """Where the score stage stands, or would: at the end, before a ``take`` that ends the cascade."""
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "score":
            return i
    end = len(piece.stages)
    return end - 1 if piece.stages[-1].get("op") == "take" else end


def _put_score(piece: Workpiece, weights: Mapping[str, float]) -> None:
    stage: dict[str, Any] = {"op": "score", "features": dict(weights)}
    at = _place(piece)
    if at < len(piece.stages) and piece.stages[at].get("op") == "score":
        piece.set((*piece.cascade, at), stage)
    else:
        piece.insert((*piece.cascade, at), stage)
