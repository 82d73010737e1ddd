"""A design under the proposer's hands: edits on its YAML text, made one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.operators import Operator, Registry, StageKind
from designsearch.dsl.paths import Path
from designsearch.dsl.problems import UserError
from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design
from designsearch.search.proposers.base import Proposal, ProposalState

Stage = Mapping[str, Any]
"""A stage as written in YAML."""

_POLICY = "policy"
"""The operator that searches by a cascade of its own, again and again."""


class Workpiece:
    """The incumbent's text with the edits made so far.

    Attributes:
        text: the YAML as it is now.
        edits: what was done, in order.
        registry: what designs may be made of.
        helper: whether operators marked LM may be used.
    """

    def __init__(self, text: str, registry: Registry, *, helper: bool = False) -> None:
        self.helper = helper
        self.text = text
        self.edits: list[Edit] = []
        self.registry = registry
        self._tree: dict[str, Any] = scan(text).value

    @classmethod
    def of(cls, state: ProposalState) -> Workpiece:
        """The incumbent of a study."""
        return cls(state.text, state.registry, helper=state.helper)

    @property
    def tree(self) -> dict[str, Any]:
        """The plain tree of the text as it is now; not to be changed."""
        return self._tree

    def set(self, path: Path, value: Any) -> None:
        """Set a value; missing parents are made."""
        self.apply(Edit("set", path, value))

    def insert(self, path: Path, value: Any) -> None:
        """Insert a list entry before the one at the path."""
        self.apply(Edit("insert", path, value))

    def remove(self, path: Path) -> None:
        """Remove what is at the path."""
        self.apply(Edit("remove", path))

    def apply(self, edit: Edit) -> None:
        """Make an edit.

        Raises:
            UserError: it finds nothing to change.
        """
        self.text = apply(self.text, edit)
        self.edits.append(edit)
        self._tree = scan(self.text).value

    # what there is

    @property
    def stages(self) -> list[Stage]:
        """The cascade that searches: that inside a policy where one does all the searching."""
        at: Any = self._tree
        for step in self.cascade:
            at = at.get(step) or [] if isinstance(at, dict) else at[step]
        return list(at)

    @property
    def cascade(self) -> Path:
        """Where :attr:`stages` stand."""
        place = self._policy_place()
        return ("retrieval",) if place is None else ("retrieval", place, "search")

    @property
    def policy(self) -> Stage | None:
        """The stage of the policy that does all the searching; ``None`` where there is none."""
        place = self._policy_place()
        return None if place is None else dict(self._outer[place])

    @property
    def _outer(self) -> list[Stage]:
        return list(self._tree.get("retrieval") or [])

    def _policy_place(self) -> int | None:
        searchers = [i for i, stage in enumerate(self._outer) if self.kind(stage) in ("retrieve", "branch")]
        alone = len(searchers) == 1 and self._outer[searchers[0]].get("op") == _POLICY
        return searchers[0] if alone else None

    def operator(self, stage: Stage) -> Operator | None:
        """The operator of a stage of the cascade."""
        return self.registry.get("cascade", str(stage.get("op")))

    def kind(self, stage: Stage) -> StageKind | None:
        """The kind of a stage of the cascade."""
        found = self.operator(stage)
        return found.stage if found is not None else None

    @property
    def store_path(self) -> Path:
        """Where the first store stands, the only one in most designs."""
        stores = (self._tree.get("storage") or {}).get("stores")
        return ("storage", "stores", next(iter(stores))) if stores else ("storage",)

    @property
    def store(self) -> Mapping[str, Any]:
        """The first store as written."""
        storage = self._tree.get("storage") or {}
        stores = storage.get("stores")
        return dict((next(iter(stores.values())) or {}) if stores else storage)

    @property
    def has_several_stores(self) -> bool:
        """Whether retrievers must say which store they search."""
        return len((self._tree.get("storage") or {}).get("stores") or {}) > 1

    @property
    def units(self) -> Stage:
        """What one memory is."""
        return self.store.get("units") or {"op": "records"}

    @property
    def views(self) -> Mapping[str, Stage]:
        """The further texts of a unit."""
        return self.store.get("views") or {}

    @property
    def brought(self) -> tuple[str, ...]:
        """The further texts of a unit that come along with what one memory is."""
        found = self.registry.get("units", str(self.units.get("op")))
        return found.views if found is not None else ()

    @property
    def sections(self) -> list[Path]:
        """Where the parts of the context stand: one, or several."""
        sections = (self._tree.get("context") or {}).get("sections")
        return [("context", "sections", i) for i in range(len(sections))] if sections else [("context",)]

    def layout(self, section: Path) -> Mapping[str, Any]:
        """One part of the context as written."""
        at: Any = self._tree
        for step in section:
            at = (at.get(step) or {}) if isinstance(at, dict) else at[step]
        return dict(at)

    def usable(self, op: Operator) -> bool:
        """Whether a revision may use an operator as it is by default: one that asks a model only with a helper."""
        return self.helper or op.works_alone

    def searches(self, op: str, view: str) -> bool:
        """Whether a retriever of that name searches that view."""
        return any(stage.get("op") == op and stage.get("view", "raw") == view for stage in self.stages)

    # what can be done

    def add_view(self, name: str, stage: Stage) -> str:
        """Add a view unless there is one like it; its name."""
        for known, other in self.views.items():
            if dict(other) == dict(stage):
                return known
        free = next(one for one in _names(name) if one not in self.views)
        self.set((*self.store_path, "views", free), dict(stage))
        return free

    def add_retriever(self, stage: Stage, fuse: Stage) -> None:
        """Search in one more way and fuse the rankings.

        The retriever joins the ones that the first fusion joins; a cascade without one gets ``fuse``.

        Raises:
            UserError: the cascade has no retriever to stand beside.
        """
        before = self._last_searcher()
        written = dict(stage)
        if self.has_several_stores:
            own_view = written.get("view") in (*self.views, *self.brought)
            written["store"] = self.store_path[-1] if own_view else self.stages[before]["store"]
        self.insert((*self.cascade, before + 1), written)
        after = before + 2
        if after < len(self.stages) and self.kind(self.stages[after]) == "fuse":
            if "weights" in self.stages[after]:  # one weight a ranking: they fit no more
                self.remove((*self.cascade, after, "weights"))
        else:
            self.insert((*self.cascade, after), dict(fuse))

    def _last_searcher(self) -> int:
        """The last retriever before the first stage that fuses or refines."""
        last: int | None = None
        for i, stage in enumerate(self.stages):
            kind = self.kind(stage)
            if kind in ("retrieve", "branch"):
                last = i
            elif kind in ("fuse", "refine") and last is not None:
                break
        if last is None:
            raise UserError("the cascade has no retriever")
        return last

    def remove_stage(self, at: int) -> None:
        """Remove a stage of the cascade, and a fusion that would have nothing left to fuse."""
        kind = self.kind(self.stages[at])
        self.remove((*self.cascade, at))
        if kind not in ("retrieve", "branch"):
            return
        open_rankings = 0
        for i, stage in enumerate(self.stages):
            if self.kind(stage) in ("retrieve", "branch"):
                open_rankings += 1
            elif self.kind(stage) == "fuse":
                if open_rankings < 2:
                    self.remove((*self.cascade, i))
                elif "weights" in stage:
                    self.remove((*self.cascade, i, "weights"))
                return

    def drop_unused_views(self) -> None:
        """Remove views that nothing reads any more; what the weights of a policy read is not written in the design."""
        if _has_weights(self._tree.get("retrieval")):
            return
        rest = repr([self._tree.get("retrieval"), self._tree.get("context")])
        for name in list(self.views):
            if name not in rest:
                self.remove((*self.store_path, "views", name))

    def add_refine(self, stage: Stage) -> None:
        """Put a refining stage at the end, before a ``take`` that ends the cascade."""
        end = len(self.stages)
        if self.stages and self.stages[-1].get("op") == "take":
            end -= 1
        self.insert((*self.cascade, end), dict(stage))

    def wrap_policy(self) -> None:
        """Let a policy run the cascade; what it finds and does not keep follows after its notes."""
        self.set(("retrieval",), [{"op": _POLICY, "rest": True, "search": self._outer}])

    def unwrap_policy(self) -> None:
        """Put the cascade of the policy in its place.

        Raises:
            UserError: no policy searches.
        """
        place = self._policy_place()
        if place is None:
            raise UserError("the cascade has no policy")
        outer = self._outer
        self.set(("retrieval",), [*outer[:place], *self.stages, *outer[place + 1 :]])

    def proposal(self, *, rationale: str, expected: str, proposer: str, params: Mapping[str, Any]) -> Proposal:
        """The proposal as it stands."""
        return Proposal(
            text=self.text,
            edits=tuple(edit.to_json() for edit in self.edits),
            rationale=rationale,
            expected=expected,
            proposer=proposer,
            params=params,
        )

    def fresh(self, state: ProposalState) -> Design | None:
        """The design, where it is valid and was not tried before."""
        try:
            design = load_design(self.text, state.design.file, state.registry, state.design.base_dir)
        except UserError:
            return None
        return None if design.hash in state.tried else design


def revised(state: ProposalState, change: Callable[[Workpiece], None]) -> Workpiece | None:
    """The incumbent after a change; ``None`` where that cannot be made, changes nothing, or gives no new valid design.

    Args:
        state: of the study.
        change: makes the edits.
    """
    piece = Workpiece.of(state)
    try:
        change(piece)
    except UserError:
        return None
    return piece if piece.edits and piece.fresh(state) is not None else None


def _has_weights(written: Any) -> bool:
    """Whether a policy in a part of a cascade, however deep, decides by weights from a file."""
    if isinstance(written, list):
        return any(map(_has_weights, written))
    if not isinstance(written, dict):
        return False
    own = written.get("op") == _POLICY and written.get("weights") is not None
    return own or any(map(_has_weights, written.values()))


def _names(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1
