"""Caps: the sum of what was spent and what is set aside never passes them."""

from contextlib import suppress
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.meter import ROUNDING, CapReachedError, Meter
from designsearch.runtime.models.books.spending import Caps, Spending, cost
from designsearch.runtime.models.settings import Price

PRICE = Price(input=1.0, output=10.0)


def meter_of(**caps):
    return Meter(CallStore(None), Caps(**caps))


def test_cost_is_by_the_million():
    assert cost(Price(input=0.4, output=1.6), 500_000, 250_000) == pytest.approx(0.2 + 0.4)
    assert cost(None, 10**9, 10**9) == 0.0


def test_a_call_is_set_aside_and_settled():
    meter = meter_of(usd=1.0)
    with meter.gate("helper", "p", PRICE) as gate:
        ticket = gate.reserve(1000, 100)
        assert meter.in_flight == Spending(1, 0.002, 1000, 100)
        assert meter.spent == Spending()
        assert ticket.settle(400, 10) == pytest.approx(0.0005)
        assert ticket.settle(9999, 9999) == pytest.approx(0.0005)  # a second time changes nothing
    assert meter.spent == Spending(1, pytest.approx(0.0005), 400, 10)
    assert meter.in_flight.calls == 0


def test_what_the_server_did_not_count_keeps_what_was_set_aside():
    meter = meter_of()
    with meter.gate("helper", "p", PRICE) as gate:
        gate.reserve(1000, 100).settle(None, 7)
        gate.reserve(1000, 100).settle(0, 0)
    assert meter.spent == Spending(2, pytest.approx(0.00107), 1000, 7)


def test_a_call_that_was_cut_off_counts_at_its_most():
    meter = meter_of()

    def interrupted():
        with meter.gate("helper", "p", PRICE) as gate:
            gate.reserve(1000, 100)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert meter.spent == Spending(1, 0.002, 1000, 100)
    assert meter.in_flight.calls == 0


def test_the_cap_on_dollars_says_what_is_what():
    meter = meter_of(usd=0.005)
    with meter.gate("helper", "p", PRICE) as gate:
        gate.reserve(1000, 100).settle(1000, 50)
        gate.reserve(1000, 100)
        with pytest.raises(CapReachedError) as error:
            gate.reserve(1000, 100)
        assert str(error.value) == (
            "usd 0.005 is reached: $0.001500 spent, $0.002000 in flight, and the next call could take $0.002000; "
            "raise budget.usd to go on"
        )
        assert error.value.passing  # once the call in flight is back, there may be room
        assert error.value.exit_code == 3


def test_a_call_that_never_fits_is_not_waited_for():
    meter = meter_of(usd=0.0015)
    with meter.gate("helper", "p", PRICE) as gate, pytest.raises(CapReachedError) as error:
        gate.reserve(1000, 100)
    assert not error.value.passing
    assert meter.spent == Spending()


def test_the_cap_on_calls_says_what_is_what():
    meter = meter_of(calls=2)
    with meter.gate("helper", "p", None) as gate:
        gate.reserve(1, 1).settle(0, 0)
        gate.reserve(1, 1)
        with pytest.raises(CapReachedError) as error:
            gate.reserve(1, 1)
    assert str(error.value) == (
        "llm_calls 2 is reached: 1 made, 1 in flight, and the next would be one more; raise budget.llm_calls to go on"
    )


def test_caps_hold_over_all_runs(tmp_path):
    store = CallStore(tmp_path / "calls.sqlite")
    with Meter(store, Caps(calls=2)).gate("helper", "p", None) as gate:
        gate.reserve(1, 1)
        gate.reserve(1, 1)
    store.close()
    again = Meter(CallStore(tmp_path / "calls.sqlite"), Caps(calls=2))
    assert again.spent.calls == 2
    with again.gate("helper", "p", None) as gate, pytest.raises(CapReachedError):
        gate.reserve(1, 1)


def test_calls_are_booked_on_the_work_that_began_them():
    store = CallStore(None)
    meter = Meter(store)
    meter.work = "base"
    with meter.gate("helper", "p", PRICE) as gate:
        ticket = gate.reserve(10, 1)
        meter.work = "trial 1"
        ticket.settle(5, 1)
        gate.reserve(10, 1).settle(10, 1)
    assert [(tally.work, tally.spent.input_tokens) for tally in store.tallies()] == [("base", 5), ("trial 1", 10)]


@settings(deadline=None)
@given(
    st.floats(0.0, 0.02),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 300), st.floats(0, 1), st.booleans()), max_size=40),
)
def test_no_order_of_calls_passes_the_cap(cap, calls):
    """Each call takes some part of its most; some are settled at once, the others at the end."""
    meter = meter_of(usd=cap)
    late = []
    with meter.gate("helper", "p", PRICE) as gate:
        for read, written, part, at_once in calls:
            try:
                ticket = gate.reserve(read, written)
            except CapReachedError:
                continue
            took = int(read * part), int(written * part)
            if at_once:
                ticket.settle(*took)
            else:
                late.append((ticket, took))
            assert meter.spent.usd + meter.in_flight.usd <= cap + 1e-8
        for ticket, took in late:
            ticket.settle(*took)
    assert meter.spent.usd <= cap + 1e-8
    assert meter.in_flight.usd == pytest.approx(0.0, abs=1e-9)


def test_threads_together_do_not_pass_the_cap():
    meter = meter_of(calls=100)
    made = []

    def ask():
        with meter.gate("helper", "p", None) as gate, suppress(CapReachedError):
            made.extend(gate.reserve(1, 1) for _ in range(50))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == meter.spent.calls == 100


def test_what_a_server_counts_beyond_the_most_is_set_aside_from_then_on():
    meter = meter_of(usd=0.05)
    with meter.gate("helper", "p", PRICE) as gate:
        gate.reserve(1000, 100).settle(6000, 120)
        gate.reserve(2000, 100)
        assert meter.in_flight == Spending(1, pytest.approx(0.0082), 7000, 120)
    assert meter.spent.usd == pytest.approx(0.0072 + 0.0082)
    with meter.gate("judge", "p", PRICE) as gate:
        gate.reserve(1000, 100).settle(1, 1)
        gate.reserve(1000, 100)
        assert meter.in_flight == Spending(1, pytest.approx(0.002), 1000, 100)


@pytest.mark.parametrize("lie", [1, 3, 10])
def test_a_server_that_counts_too_much_is_held_to_the_cap_from_its_first_call_on(lie):
    meter = meter_of(usd=0.1)
    with suppress(CapReachedError), meter.gate("helper", "p", PRICE) as gate:
        for _ in range(1000):
            gate.reserve(1000, 100).settle(1000 * lie, 100 * lie)
    assert meter.spent.usd <= 0.1 + ROUNDING
