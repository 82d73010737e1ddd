"""Anchors, aliases and merges around an edit: what shares a value with the place of an edit is written out first."""

from __future__ import annotations

from designsearch.dsl.edit_text import add_key, expand_merge, is_within, replace_value
from designsearch.dsl.edit_values import child_at
from designsearch.dsl.layout import Layout, UnfamiliarLayoutError
from designsearch.dsl.nodes import Alias, Mapping, Node, Sequence, resolve
from designsearch.dsl.paths import Path
from designsearch.dsl.source import is_merge, merged_keys, read

_MOST_EXPANSIONS = 10_000


def loosen(text: str, path: Path, *, replaced: bool, removed: bool) -> Layout:
    """Write out the aliases and merges that the edit at ``path`` would change, or that stand in its way.

    Args:
        text: the document.
        path: where the edit is.
        replaced: the value at the path goes away, with every anchor inside it.
        removed: the key itself goes away.
    """
    for _ in range(_MOST_EXPANSIONS):
        at = Layout(read(text))
        changed = _through_alias(at, path, removed=removed)
        if changed is None:
            changed = _shared(at, path, replaced=replaced)
        if changed is None:
            return at
        text = changed
    raise UnfamiliarLayoutError


def _through_alias(at: Layout, path: Path, *, removed: bool) -> str | None:
    """Write out the first alias or merge that the path leads through."""
    for depth in range(len(path)):
        here, step = path[:depth], path[depth]
        node = at.source.nodes.get(here)
        if node is None:
            return None
        if isinstance(node, Alias):
            return replace_value(at, node, child_at(at.source.value, here))
        merge = at.merge(node) if isinstance(node, Mapping) else None
        if merge is None or not isinstance(node, Mapping):
            continue
        is_last = depth == len(path) - 1
        if is_last and removed and step in merged_keys(at.source, node.pairs[merge][1]):
            return _write_out(at, node, merge)
        if not is_last and at.pair(node, str(step)) is None and (*here, step) in at.source.nodes:
            return add_key(at, node, str(step), child_at(at.source.value, (*here, step)))
    return None


def _write_out(at: Layout, mapping: Mapping, merge: int) -> str:
    path = at.paths.get(id(mapping))
    if path is None:
        raise UnfamiliarLayoutError
    own = {name for name in child_at(at.source.value, path) if at.pair(mapping, name) is not None}
    brought = {name: value for name, value in child_at(at.source.value, path).items() if name not in own}
    return expand_merge(at, mapping, merge, brought)


def _shared(at: Layout, path: Path, *, replaced: bool) -> str | None:
    """Write out one alias elsewhere of something that is about to change, if there is one."""
    around = [node for depth in range(len(path)) if (node := at.source.nodes.get(path[:depth])) is not None]
    whole = at.source.nodes.get(path) if replaced and len(around) == len(path) and not is_merged(at, path) else None
    for alias in at.aliases:
        touched = any(alias.target is node for node in around) or (whole is not None and is_within(alias.target, whole))
        if not touched or (whole is not None and is_within(alias, whole)):
            continue
        home = at.homes[id(alias)]
        holder: Mapping | Sequence = home.holder
        index = home.index
        outer = at.homes.get(id(holder))
        if outer is not None and isinstance(holder, Sequence) and _merges(outer.holder, outer.index):
            holder, index = outer.holder, outer.index
        if _merges(holder, index):
            assert isinstance(holder, Mapping)
            return _write_out(at, holder, index)
        place = at.paths.get(id(alias))
        if place is None:
            raise UnfamiliarLayoutError
        return replace_value(at, alias, child_at(at.source.value, place))
    return None


def _merges(holder: Mapping | Sequence, index: int) -> bool:
    return isinstance(holder, Mapping) and is_merge(holder.pairs[index][0])


def node_at(at: Layout, path: Path) -> Node:
    """The node at a path, an alias as itself."""
    node = at.source.nodes.get(path)
    if node is None:
        raise UnfamiliarLayoutError
    return node


def is_merged(at: Layout, path: Path) -> bool:
    """Whether what stands at a path comes from a merge."""
    holder = resolve(node_at(at, path[:-1]))
    return isinstance(holder, Mapping) and at.pair(holder, str(path[-1])) is None
