from runtime_fakes import ask, call, memory_of, rows_of, stage

from designsearch.runtime.pipeline import run_cascade

TEXTS = ["kayak river", "kayak paddle", "river bank", "tram"]


def test_sub_cascades_are_fused_in_order_of_their_names():
    m = memory_of(TEXTS)
    one, other = stage("cascade", "bm25", k=2), stage("cascade", "recent", k=3)
    made = call(
        "cascade",
        "branch",
        ask("kayak"),
        m,
        branches={"b": (one,), "a": (other,)},
        fuse=stage("cascade", "rrf", weights=[1, 2]),
    )
    first, second = (made.operator.function(made.params, ask("kayak"), m) for made in (other, one))
    expected = call("cascade", "rrf", [first, second], m, weights=[1, 2])
    assert rows_of(made) == rows_of(expected)
    assert made.scores.tolist() == expected.scores.tolist()


def test_what_a_branch_does_to_its_queries_stays_inside_it():
    m = memory_of(TEXTS)
    search = stage("cascade", "bm25")
    widened = (stage("cascade", "prf", feedback=(search,), max_df=1.0), search)
    branch = stage(
        "cascade", "branch", branches={"wide": widened, "plain": (search,)}, fuse=stage("cascade", "weighted_sum")
    )
    run = run_cascade(m, (branch,), ask("kayak"))
    assert 2 in rows_of(run.ranking)[0]
    assert run.steps[0].queries.queries == ask("kayak").queries
