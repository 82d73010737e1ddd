"""The operator registry: what a design may be made of.

An operator is one function in one file under ``runtime/operators``, with a small ``Params`` model beside it. The model
is the only place where a parameter's type, bounds, default and one-line description stand, and whether and how a search
may tune it; the JSON Schema, validation, the reference page, the proposers' catalogue and the Optuna distributions are
all made from it.

This module imports nothing of the project: ``runtime`` registers into it, and the composition root hands the filled
registry to whoever reads designs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import CoreSchema, core_schema

StageKind = Literal["units", "view", "write", "query", "retrieve", "fuse", "refine", "branch", "feature"]
"""What a stage maps to what: see ``runtime/contracts.py`` for each signature."""

Slot = Literal["units", "views", "write", "cascade", "features"]
"""Where in a design an operator's name is looked up; names are unique within a slot."""

Scale = Literal["scaled", "unscaled", "keeps"]
"""Whether the scores that a stage leaves behind have a scale (cosines, probabilities), have none (BM25, RRF), or are
those that came in."""

SLOTS: dict[StageKind, Slot] = {
    "units": "units",
    "view": "views",
    "write": "write",
    "query": "cascade",
    "retrieve": "cascade",
    "fuse": "cascade",
    "refine": "cascade",
    "branch": "cascade",
    "feature": "features",
}


def _in_one_order(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))


NameSet = Annotated[tuple[str, ...], AfterValidator(_in_one_order)]
"""Names of which only matters which there are: however they are written, the design is the same one."""

STAGE_MARK = "x-stage"
"""Keyword of a generated JSON Schema that stands for "a stage of this slot"."""


@dataclass(frozen=True, slots=True)
class Tune:
    """How a search may vary a numeric parameter: within ``low`` and ``high``, on a log scale or not."""

    low: float
    high: float
    log: bool = False


def param(default: Any = ..., *, about: str, tune: Tune | bool | None = None, **limits: Any) -> Any:
    """Declare one parameter of an operator.

    Args:
        default: the value where the design names none; ``...`` makes it required.
        about: one line for people; it becomes the editor's tooltip and the reference page.
        tune: bounds for a search, ``True`` for a choice or a boolean that a search may flip, ``None`` to leave alone.
        **limits: pydantic's own: ``ge``, ``gt``, ``le``, ``lt``, ``min_length``, ``max_length``.
    """
    return Field(default, description=about, json_schema_extra={"tune": _tune_json(tune)} if tune else None, **limits)


def _tune_json(tune: Tune | bool) -> Any:
    return True if isinstance(tune, bool) else {"low": tune.low, "high": tune.high, "log": tune.log}


class Params(BaseModel):
    """Base of every operator's parameters: frozen, unknown keys refused, non-finite numbers refused.

    Attributes:
        paths: names of those that name a file or folder, seen from the design's file. What it holds is part of the
            design's identity, and a model that proposes designs cannot choose it.
    """

    paths: ClassVar[tuple[str, ...]] = ()

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, arbitrary_types_allowed=True)

    def files(self) -> dict[str, str]:
        """Those of ``paths`` that name a file or folder as they are set, each with the path as it is written."""
        return {name: written for name in self.paths if (written := getattr(self, name)) is not None}

    def calls_model(self) -> bool:
        """Whether an operator marked LM needs its model with these parameters; False where they name another way."""
        return True

    def model_work(self) -> ModelWork:
        """What an operator marked LM asks its model for with these parameters."""
        return ModelWork()


@dataclass(frozen=True, slots=True)
class ModelWork:
    """What an operator asks its model for, about one item: a record, or a unit made of it; in a cascade a question.

    Attributes:
        requests: the most that it takes.
        shown: records or units that one of them shows.
        units: that it makes of a record, about.
    """

    requests: int = 1
    shown: int = 1
    units: int = 1


@dataclass(frozen=True, slots=True)
class When:
    """A test from the closed list that decides, question by question, whether a stage applies.

    Attributes:
        text: the test as written, in canonical spacing.
        subject: ``question.has_date``, ``question.asks_current``, ``question.asks_count``, ``ranking.empty``,
            ``ranking.size`` or ``ranking.top_score``.
        limit: the number after ``<`` for the two that compare, else ``None``.
    """

    text: str
    subject: str
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One validated stage of a design: an operator with its parameters.

    A parameter whose type is ``Cascade`` holds a tuple of stages, one of type ``Branches`` a mapping of them, and one
    of type ``Stage`` a single fuse stage.

    Attributes:
        operator: what it does.
        params: how.
        when: for which questions.
        contents: the parameters that name files, each with the digest of what is there.
    """

    operator: Operator
    params: Params
    when: When | None = None
    contents: tuple[tuple[str, str], ...] = ()

    @property
    def op(self) -> str:
        """The operator's name."""
        return self.operator.name

    @property
    def needs_model(self) -> bool:
        """Whether it cannot run without a model; what stands inside it is not asked."""
        return self.operator.needs_model and self.params.calls_model()

    def inner(self) -> Iterator[tuple[tuple[str | int, ...], Stage]]:
        """The stages that stand inside this one, each with its path from here; not those inside them."""
        for name in type(self.params).model_fields:
            yield from _stages_in(getattr(self.params, name), (name,))

    def canonical(self) -> dict[str, Any]:
        """The stage as plain JSON with every default filled in; a file stands as what it holds."""
        values = {name: _plain(getattr(self.params, name)) for name in sorted(type(self.params).model_fields)}
        head: dict[str, Any] = {"op": self.op}
        if self.when is not None:
            head["when"] = self.when.text
        return head | values | dict(self.contents)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """A parameter that is a stage holds a stage that was validated already."""
        return core_schema.is_instance_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        """A mark that ``dsl/schema.py`` replaces by the stages of that slot."""
        return {STAGE_MARK: "cascade"}


def _stages_in(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Stage]]:
    if isinstance(value, Stage):
        yield path, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _stages_in(one, (*path, key))
    elif isinstance(value, tuple):
        for i, one in enumerate(value):
            yield from _stages_in(one, (*path, i))


_EXACT = 2**53


def _plain(value: Any) -> Any:
    if isinstance(value, Stage):
        return value.canonical()
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in sorted(value.items())}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, BaseModel):
        return _plain({name: getattr(value, name) for name in type(value).model_fields})
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)  # 5 and 5.0 are one setting and one identity
    return value


Cascade = tuple[Stage, ...]
"""Type of a parameter that holds an inner cascade (``prf.feedback``)."""

Branches = dict[str, tuple[Stage, ...]]
"""Type of a parameter that holds named sub-cascades (``branch.branches``)."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A registered operator.

    Attributes:
        name: the name that designs use.
        stage: its kind, which fixes the signature of ``function``.
        params: the model of its parameters.
        function: the implementation.
        scale: whether the scores it leaves have a scale (retrieve, fuse, refine only).
        needs_model: True for an operator marked LM: it works through the study's ``helper``.
        needs_services: True for an operator of the storage that embeds texts or counts tokens.
        needs_scale: True where the scores that come in must have a scale (``min_score``).
        views: the views that a units operator brings along, beside ``raw``.
    """

    name: str
    stage: StageKind
    params: type[Params]
    function: Callable[..., Any]
    scale: Scale = "keeps"
    needs_model: bool = False
    needs_services: bool = False
    needs_scale: bool = False
    views: tuple[str, ...] = ()

    @property
    def slot(self) -> Slot:
        """Where in a design the name is looked up."""
        return SLOTS[self.stage]

    @property
    def works_alone(self) -> bool:
        """Whether it needs no model, at least with its defaults."""
        return not (self.needs_model and self.params.model_construct().calls_model())

    @property
    def doc(self) -> str:
        """The whole docstring of the function, dedented."""
        from inspect import getdoc

        return getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.doc.split("\n", 1)[0]


@dataclass(slots=True)
class Registry:
    """All operators by slot and name."""

    operators: dict[tuple[Slot, str], Operator] = field(default_factory=dict)

    def add(self, op: Operator) -> None:
        """Register an operator.

        Raises:
            ValueError: the slot has that name already, from another function.
        """
        key = (op.slot, op.name)
        known = self.operators.get(key)
        if known is not None and known.function.__qualname__ != op.function.__qualname__:
            raise ValueError(f"operator {op.name} is registered twice in {op.slot}")
        self.operators[key] = op

    def get(self, slot: Slot, name: str) -> Operator | None:
        """The operator of that name in that slot, or ``None``."""
        return self.operators.get((slot, name))

    def names(self, slot: Slot) -> list[str]:
        """All names in a slot, sorted."""
        return sorted(name for s, name in self.operators if s == slot)

    def __iter__(self) -> Iterator[Operator]:
        """Operators in the order of slot and name."""
        return iter(op for _, op in sorted(self.operators.items()))


REGISTRY = Registry()
"""Where ``@operator`` registers; filled by ``runtime.operators.load_all``."""

F = TypeVar("F", bound=Callable[..., Any])


def operator(
    name: str,
    stage: StageKind,
    params: type[Params] = Params,
    *,
    scale: Scale = "keeps",
    needs_model: bool = False,
    needs_services: bool = False,
    needs_scale: bool = False,
    views: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Register the decorated function as an operator. See ``runtime/contracts.py`` for the signature of each stage."""

    def register(function: F) -> F:
        REGISTRY.add(
            Operator(
                name=name,
                stage=stage,
                params=params,
                function=function,
                scale=scale,
                needs_model=needs_model,
                needs_services=needs_services,
                needs_scale=needs_scale,
                views=views,
            )
        )
        return function

    return register
