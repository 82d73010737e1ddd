"""Why two records are connected, in a few words for people and for planners."""

from __future__ import annotations

from designsearch.runtime.lexical_tokens import is_stopword, stem_all, words
from designsearch.runtime.records import History
from designsearch.search.supervision.graph.documents import document_numbers
from designsearch.search.supervision.graph.graph import EdgeKind, RecordGraph
from designsearch.search.supervision.graph.mentions import Mentions, without_addresses

SHOWN = 5
"""The most shared words that a reason lists."""

_is_function_word = is_stopword("english")


class Reasons:
    """Says why edges of one graph are there.

    Args:
        history: the records.
        graph: their connections.
    """

    def __init__(self, history: History, graph: RecordGraph) -> None:
        self._history = history
        self._graph = graph
        self._mentions = Mentions(history, document_numbers(history))

    def why(self, source: int, target: int, kind: EdgeKind) -> str:
        """The reason of an edge, as seen from ``source``."""
        if kind is EdgeKind.SESSION:
            return f"{'later' if target > source else 'earlier'} in the same conversation"
        if kind is EdgeKind.SECTION:
            return f"the {'next' if target > source else 'previous'} section of the same document"
        return self._reference(source, target) if kind is EdgeKind.REFERENCE else self._words(source, target)

    def _reference(self, source: int, target: int) -> str:
        history = self._history
        own, other = history.ids[source], history.ids[target]
        stated = {
            "replies to": history.reply_to[source] == other,
            "is replied to by": history.reply_to[target] == own,
            "refers to": other in history.refs.get(source, ()),
            "is referred to by": own in history.refs.get(target, ()),
        }
        return next((reason for reason, holds in stated.items() if holds), "") or self._name(source, target)

    def _name(self, source: int, target: int) -> str:
        """The shared name that the fewest records hold."""
        own, other = set(self._mentions.mentioned(source)), set(self._mentions.mentioned(target))
        linking = self._graph.names
        both = [(linking[name], 2, name) for name in own & other if name in linking]
        one = [(linking[name], 0, name) for name in own if name in linking and target in self._mentions.bearers(name)]
        two = [(linking[name], 1, name) for name in other if name in linking and source in self._mentions.bearers(name)]
        _, how, name = min(one or two or both)
        return f"{('names', 'is named as', 'both name')[how]} {name.partition(':')[2]}"

    def _words(self, source: int, target: int) -> str:
        """The informative words that both hold, the rarest first."""
        spelled = self._spelled(source)
        shared = self._spelled(target).keys() & spelled.keys()
        frequency = self._graph.informative
        ranked = sorted(shared & frequency.keys(), key=lambda stem: (frequency[stem], stem))
        listed = ", ".join(spelled[stem] for stem in ranked[:SHOWN])
        return f"{len(ranked)} shared words: {listed}{', ...' if len(ranked) > SHOWN else ''}"

    def _spelled(self, row: int) -> dict[str, str]:
        """The stems of a record's words, each with the word as it stands there first."""
        text = without_addresses(self._history.texts[row])
        own = [word for word in words(text) if not _is_function_word(word)]
        return dict(zip(reversed(stem_all(own, "english")), reversed(own), strict=True))
