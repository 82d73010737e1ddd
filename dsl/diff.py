"""What changed between two designs, in meaning: one line a path.

Both are compared in their canonical form, so reformatting, comments, key order, an expanded anchor, ``5`` for ``5.0``
and the flat form against one store called ``main`` are no change. There are changes exactly where the hashes differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designsearch.dsl.align import align
from designsearch.dsl.design import MAIN, ContextPlan, Design, Section, StorePlan
from designsearch.dsl.emit import flow
from designsearch.dsl.grammar import DEFAULT_ITEM
from designsearch.dsl.operators import Stage
from designsearch.dsl.paths import Path, show_path

ChangeKind = Literal["changed", "added", "removed", "moved"]

NO_CHANGE = "no semantic change"
_SHOWN = 72
_AROUND = 16


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        kind: what happened.
        path: where, in the new design; in the old one for what was removed.
        before: the old value, ``None`` for what was added.
        after: the new value, ``None`` for what was removed.
        was: where a moved stage stood.
    """

    kind: ChangeKind
    path: Path
    before: Any = None
    after: Any = None
    was: Path | None = None

    def __str__(self) -> str:
        """One line, as in ``retrieval[1].k: 50 -> 200``."""
        return self._told(_short)

    def whole(self) -> str:
        """As the text, with nothing left out of long values."""
        return self._told(flow)

    def _told(self, show: Callable[[Any], str]) -> str:
        """The line with values shown in some way."""
        where = show_path(self.path)
        if self.kind == "added":
            return f"{where}: added {show(self.after)}"
        if self.kind == "removed":
            return f"{where}: removed {show(self.before)}"
        if self.kind == "moved":
            return f"{show_path(self.was or ())} -> {where}: moved {show(self.after)}"
        return f"{where}: {_contrast(self.before, self.after, show)}"

    def to_json(self) -> dict[str, Any]:
        """The change as plain JSON."""
        plain = {"kind": self.kind, "path": show_path(self.path), "before": self.before, "after": self.after}
        return plain if self.was is None else plain | {"was": show_path(self.was)}


class _View(dict[str, Any]):
    """A part in canonical form that also knows itself as a person would write it."""

    brief: dict[str, Any]


class _File(str):
    """The digest of a file, which also knows how it is named."""

    __slots__ = ("brief",)

    brief: str


def diff(old: Design, new: Design) -> list[Change]:
    """All changes from one design to another, from top to bottom; none exactly where their hashes are equal."""
    return list(_compare(*_views(old, new), ()))


def render_diff(changes: Sequence[Change], *, whole: bool = False) -> str:
    """One line a change, or that there is none; ``whole`` shows long values to their end."""
    return "\n".join(change.whole() if whole else str(change) for change in changes) if changes else NO_CHANGE


def _views(old: Design, new: Design) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both designs as trees whose paths are those of the YAML; the common flat forms are shown where both are flat."""
    flat_stores = all(list(design.stores) == [MAIN] for design in (old, new))
    flat_context = all(_is_flat(design.context) for design in (old, new))
    return _view(old, flat_stores, flat_context), _view(new, flat_stores, flat_context)


def _is_flat(context: ContextPlan) -> bool:
    first = context.sections[0]
    return len(context.sections) == 1 and (first.source, first.share, first.header, first.footer) == (None, 1, "", "")


def _view(design: Design, flat_stores: bool, flat_context: bool) -> dict[str, Any]:
    canonical = design.canonical()
    stores = {name: _store(store, canonical["storage"][name]) for name, store in design.stores.items()}
    sections = [_section(part) for part in canonical["context"]["sections"]]
    context = canonical["context"] | {"sections": sections}
    if flat_context:
        around = {key: context[key] for key in ("header", "footer")}
        context = {key: v for key, v in sections[0].items() if key not in ("from", "share")} | around
    return {
        "storage": stores[MAIN] if flat_stores else {"stores": stores},
        "retrieval": [_stage(stage) for stage in design.retrieval],
        "context": context,
        "answer": canonical["answer"],
    }


def _section(canonical: dict[str, Any]) -> _View:
    usual = Section(DEFAULT_ITEM).canonical()
    view = _View({"from": canonical["source"]} | {key: v for key, v in canonical.items() if key != "source"})
    view.brief = {"from": canonical["source"]} if canonical["source"] else {}
    view.brief |= {key: v for key, v in canonical.items() if key != "source" and v != usual[key]}
    return view


def _store(store: StorePlan, canonical: dict[str, Any]) -> _View:
    views = {name: _stage(stage) for name, stage in sorted(store.views.items())}
    view = _View(canonical | {"units": _stage(store.units), "views": views})
    view.brief = {"units": _brief(view["units"])}
    view.brief |= {"views": _brief(views)} if views else {}
    view.brief |= {"write": _brief(_stage(store.write))} if store.write else {}
    view.brief |= {"from": store.source} if store.source else {}
    return view


def _stage(stage: Stage) -> _View:
    """The canonical form of a stage with views in the places of inner stages."""
    canonical = stage.canonical()
    view = _View({name: _inner(getattr(stage.params, name, None), value) for name, value in canonical.items()})
    for name, digest in stage.contents:
        view[name] = _File(digest)
        view[name].brief = f"{getattr(stage.params, name)} ({digest[:8]})"
    view.brief = {name: _brief(view[name]) for name in canonical if name in ("op", "when") or _is_written(stage, name)}
    return view


def _is_written(stage: Stage, name: str) -> bool:
    info = type(stage.params).model_fields[name]
    value = getattr(stage.params, name)
    return info.is_required() or bool(value != info.get_default(call_default_factory=True))


def _inner(value: Any, canonical: Any) -> Any:
    if isinstance(value, Stage):
        return _stage(value)
    if isinstance(value, dict):
        return {name: _inner(value.get(name), held) for name, held in canonical.items()}
    if isinstance(value, list | tuple):
        return [_inner(one, held) for one, held in zip(value, canonical, strict=True)]
    return canonical


def _brief(value: Any) -> Any:
    if isinstance(value, _View | _File):
        return value.brief
    if isinstance(value, dict):
        return {name: _brief(inner) for name, inner in value.items()}
    return [_brief(inner) for inner in value] if isinstance(value, list) else value


def _compare(old: Any, new: Any, path: Path) -> Iterator[Change]:
    if isinstance(old, dict) and isinstance(new, dict) and old.get("op") == new.get("op"):
        yield from _compare_keys(old, new, path)
    elif (name := _entry_name(old, new)) is not None:
        yield from _compare_entries(old, new, path, name)
    elif json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True):
        yield Change("changed", path, _brief(old), _brief(new))


def _compare_keys(old: dict[str, Any], new: dict[str, Any], path: Path) -> Iterator[Change]:
    for key in dict.fromkeys([*old, *new]):
        here = (*path, key)
        if key not in new:
            yield Change("removed", here, before=_brief(old[key]))
        elif key not in old:
            yield Change("added", here, after=_brief(new[key]))
        else:
            yield from _compare(old[key], new[key], here)


def _entry_name(old: Any, new: Any) -> str | None:
    """The key that names the entries of two lists of stages or sections; ``None`` for other values."""
    if not (isinstance(old, list) and isinstance(new, list) and old + new):
        return None
    for name in ("op", "from"):
        if all(isinstance(entry, dict) and name in entry for entry in old + new):
            return name
    return None


def _compare_entries(old: list[Any], new: list[Any], path: Path, name: str) -> Iterator[Change]:
    found = align(old, new, name)
    partner = {j: i for i, j in (*found.kept, *found.moved)}
    origin = {j: i for i, j in found.moved}
    for i in found.removed:
        yield Change("removed", (*path, i), before=_brief(old[i]))
    for j in range(len(new)):
        here = (*path, j)
        if j not in partner:
            yield Change("added", here, after=_brief(new[j]))
            continue
        if j in origin:
            yield Change("moved", here, _brief(old[origin[j]]), _brief(new[j]), (*path, origin[j]))
        yield from _compare(old[partner[j]], new[j], here)


def _short(value: Any) -> str:
    line = flow(value)
    return line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."


def _contrast(before: Any, after: Any, show: Callable[[Any], str]) -> str:
    """Old and new value; of two long texts only what surrounds the difference."""
    texts = isinstance(before, str) and isinstance(after, str)
    if show is not _short or not texts or max(len(before), len(after)) <= _SHOWN // 2:
        return f"{show(before)} -> {show(after)}"
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    return f"{_part(before, start, end)} -> {_part(after, start, end)}"


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _part(text: str, start: int, end: int) -> str:
    first, last = max(start - _AROUND, 0), min(len(text) - end + _AROUND, len(text))
    shown = text[first:last] if last - first <= _SHOWN else text[first : first + _SHOWN]
    cut = first + len(shown) < len(text)
    return ("..." if first else "") + flow(shown) + ("..." if cut else "")
