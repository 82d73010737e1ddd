"""Small histories for the tests of the graph and of what is drawn from it."""

from hypothesis import strategies as st

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import Record

WORDS = ["kiln", "glaze", "studio", "violin", "harbour", "lentil", "ledger", "the", "and", "was", "plan.pdf", "r1", "x"]


def make_history(*records):
    """A history of records given as keywords; ids and times follow their order where not given."""
    filled = [
        Record(**{"id": f"r{i}", "text": "", "time": f"2024-{1 + i // 28 % 12:02d}-{1 + i % 28:02d}"} | given)
        for i, given in enumerate(records)
    ]
    return fold(filled, "h")


def edges_of(graph, kind):
    """The edges of a kind as ``{(low, high): weight}``."""
    found = {}
    for row in range(len(graph)):
        targets, kinds, weights = graph.neighbors(row)
        for target, code, weight in zip(targets.tolist(), kinds.tolist(), weights.tolist(), strict=True):
            if code == kind and row < target:
                found[row, target] = weight
    return found


def texts(most=8):
    return st.lists(st.sampled_from(WORDS), max_size=most).map(" ".join)


@st.composite
def histories(draw, most=30):
    """Histories with conversations, documents, replies, references and texts that share words."""
    size = draw(st.integers(0, most))
    records = []
    for i in range(size):
        paper = draw(st.booleans())
        records.append(
            {
                "text": draw(texts()),
                "session": draw(st.sampled_from(["", "s1", "s2"])),
                "source": "file" if paper else "chat",
                "section": draw(st.sampled_from(["", "Heading"])) if paper else "",
                "time": draw(st.sampled_from(["2024-01-01", "2024-02-03", "2024-05-06T10:00"])),
                "reply_to": draw(st.sampled_from(["", "r0", f"r{max(0, i - 1)}", "gone"])),
                "refs": tuple(draw(st.lists(st.sampled_from(["r0", "r2", "gone"]), max_size=2))),
            }
        )
    return make_history(*records)
