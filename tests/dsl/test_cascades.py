import pytest

HEAD = "version: 1\nretrieval:\n"


def lines(*stages):
    return HEAD + "".join(f"  - {stage}\n" for stage in stages)


@pytest.mark.parametrize(
    "stages",
    [
        ["{op: bm25}"],
        ["{op: bm25}", "{op: take, k: 5}"],
        ["{op: keywords}", "{op: bm25}", "{op: keywords}", "{op: dense}", "{op: rrf}", "{op: take, k: 5}"],
        ["{op: bm25}", "{op: dense}", "{op: rrf}", "{op: dense}", "{op: bm25}", "{op: rrf}"],
        ["{op: dense}", "{op: min_score, value: 0.5}", "{op: take, k: 5, when: ranking.top_score < 0.3}"],
        ["{op: bm25}", "{op: rerank}", "{op: min_score, value: 0.5}"],
        ["{op: dense}", "{op: dense, when: ranking.size < 5}", "{op: best}", "{op: min_score, value: 0}"],
        ["{op: prf, feedback: [{op: bm25}, {op: take, k: 5}]}", "{op: bm25}"],
        ["{op: branch, branches: {a: [{op: dense}]}}", "{op: min_score, value: 0.1}"],
        [
            "{op: branch, branches: {a: [{op: dense}], b: [{op: dense}]}, fuse: {op: best}}",
            "{op: min_score, value: 0.1}",
        ],
    ],
)
def test_cascades_that_fit(load, stages):
    assert len(load(lines(*stages)).retrieval) == len(stages)


@pytest.mark.parametrize(
    ("stages", "problem"),
    [
        (
            ["{op: bm25}", "{op: dense}", "{op: take, k: 5}"],
            (
                "5:5: retrieval[2]: take works on one ranking, but 2 are open "
                "(bm25 at retrieval[0], dense at retrieval[1]) "
                "(fuse them first, as with {op: rrf})"
            ),
        ),
        (["{op: take, k: 5}"], "3:5: retrieval[0]: take has no ranking to work on (put a retriever before it)"),
        (
            ["{op: bm25}", "{op: rrf}"],
            (
                "4:5: retrieval[1]: rrf fuses at least two rankings; only one is open here (bm25 at retrieval[0]) "
                "(remove it, or add another retriever before it)"
            ),
        ),
        (
            ["{op: rrf}"],
            (
                "3:5: retrieval[0]: rrf fuses at least two rankings; none is open here "
                "(remove it, or add another retriever before it)"
            ),
        ),
        (
            ["{op: bm25}", "{op: dense}"],
            (
                "4:5: retrieval[1]: the cascade ends with 2 open rankings "
                "(bm25 at retrieval[0], dense at retrieval[1]) "
                "(fuse them, as with {op: rrf})"
            ),
        ),
        (
            ["{op: bm25}", "{op: keywords}"],
            "4:5: retrieval[1]: keywords changes the queries, but no stage after it searches (move it up)",
        ),
        (
            ["{op: bm25}", "{op: take, k: 9}", "{op: min_score, value: 1}"],
            (
                "5:5: retrieval[2]: min_score compares scores that have no scale: those of bm25 at retrieval[0] "
                "(use take, or put it right after a retriever whose scores have one)"
            ),
        ),
        (
            ["{op: bm25}", "{op: take, k: 9, when: ranking.top_score < 3}"],
            (
                "4:28: retrieval[1].when: ranking.top_score compares scores that have no scale: those of bm25 at "
                "retrieval[0] (use ranking.size, or a retriever whose scores have one)"
            ),
        ),
        (
            ["{op: dense}", "{op: bm25}", "{op: best}", "{op: min_score, value: 1}"],
            (
                "6:5: retrieval[3]: min_score compares scores that have no scale: those of best at retrieval[2] "
                "(use take, or put it right after a retriever whose scores have one)"
            ),
        ),
        (
            ["{op: dense}", "{op: dense, when: ranking.empty}", "{op: best, when: question.has_date}"],
            "5:22: retrieval[2].when: best cannot depend on a test: without it several rankings stay open",
        ),
        (
            ["{op: dense, when: ranking.empty}"],
            "3:23: retrieval[0].when: ranking.empty asks about the one open ranking; none is open here",
        ),
        (
            ["{op: prf, feedback: [{op: take, k: 5}]}", "{op: bm25}"],
            "3:26: retrieval[0].feedback[0]: take has no ranking to work on (put a retriever before it)",
        ),
        (
            ["{op: branch, branches: {a: [{op: dense}], b: [{op: bm25}]}}"],
            "3:5: retrieval[0]: branch has 2 branches and nothing that makes one ranking of them (add fuse: {op: rrf})",
        ),
        (
            ["{op: branch, branches: {a: [{op: dense}, {op: bm25}]}}"],
            (
                "3:46: retrieval[0].branches.a[1]: the cascade ends with 2 open rankings (dense at "
                "retrieval[0].branches.a[0], bm25 at retrieval[0].branches.a[1]) (fuse them, as with {op: rrf})"
            ),
        ),
        (
            ["{op: branch, branches: {a: [{op: dense}]}, fuse: {op: take, k: 5}}"],
            "3:59: retrieval[0].fuse.op: take does not fuse (fuse with best, rrf)",
        ),
        (
            ["{op: branch, branches: {}}"],
            "3:28: retrieval[0].branches: branch needs at least one branch",
        ),
        (
            ["{op: bm25, view: window}"],
            "3:22: retrieval[0].view: there is no view window (the views are raw)",
        ),
        (
            ["{op: bm25, store: facts}"],
            "3:23: retrieval[0].store: there is no store facts (the stores are main)",
        ),
        (
            ["{op: bm25}", "{op: score, features: {bm25.window: 1}}"],
            '4:41: retrieval[1].features["bm25.window"]: there is no view window (the views are raw)',
        ),
    ],
)
def test_cascades_that_do_not_fit(complaints, stages, problem):
    assert complaints(lines(*stages)) == [problem]


def test_after_an_unknown_operator_nothing_is_guessed(complaints):
    assert complaints(lines("{op: bm25}", "{op: dens}", "{op: take, k: 1}")) == [
        "4:10: retrieval[1].op: unknown operator dens (did you mean dense?)"
    ]


def test_with_several_stores_a_retriever_names_its_own(complaints):
    stores = "storage: {stores: {turns: {views: {w: {op: window}}}, facts: {}}}\n"
    assert complaints(stores + lines("{op: bm25}")) == [
        "4:5: retrieval[0]: bm25 must name its store: the design has several (add store: turns or facts)"
    ]
    assert complaints(stores + lines("{op: bm25, store: facts, view: w}")) == [
        "4:36: retrieval[0].view: there is no view w in store facts (the views are raw)"
    ]
    assert complaints(stores + lines("{op: bm25, store: turns, view: w}")) == []


def test_an_empty_cascade(complaints):
    assert complaints("version: 1\nretrieval: []\n") == [
        "2:12: retrieval: must have at least 1 entry; got 0",
    ]
    assert complaints(lines("{op: branch, branches: {a: []}}")) == [
        ("3:32: retrieval[0].branches.a: the cascade finds nothing: no stage of it searches (add a retriever)")
    ]
    assert complaints(lines("{op: prf, feedback: []}", "{op: bm25}")) == []
