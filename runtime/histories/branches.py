"""The branch of a conversation that its reader sees, where messages were edited or answered anew."""

from __future__ import annotations

from collections.abc import Mapping

from designsearch.runtime.histories.report import LoadReport


def branch_to(leaf: str, parents: Mapping[str, str], place: str, report: LoadReport) -> list[str]:
    """The nodes from the root of a tree down to a leaf.

    Args:
        leaf: the last node of the branch; must be one of ``parents``.
        parents: each node's parent, empty where it has none.
        place: the conversation, for the report.
        report: gets links that go round in circles or to nodes that are not there; the branch begins below these.

    Returns:
        Their ids, the root first.
    """
    found, node = dict[str, None](), leaf
    while node in parents:
        if node in found:
            report.note("parent links that go round in circles, cut", place)
            break
        found[node] = None
        node = parents[node]
    else:
        if node:
            report.note("parents that are not there, the branch begins below them", place)
    return list(found)[::-1]
