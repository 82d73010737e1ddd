import pytest

from designsearch import figures


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "-"),
        (0.0, "0.0 ms"),
        (0.0004, "0.4 ms"),
        (0.012, "12 ms"),
        (0.9, "900 ms"),
        (1.26, "1.3 s"),
        (125.0, "2 min 5 s"),
    ],
)
def test_times_have_a_unit(value, shown):
    assert figures.seconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (2_000_000, "2.0 MB"), (3.2e9, "3.2 GB")]
)
def test_sizes_have_a_unit(value, shown):
    assert figures.size(int(value)) == shown


def test_shares_and_differences():
    assert figures.share(0.5) == "0.500"
    assert figures.share(None) == "-"
    assert figures.gain(-0.0314) == "-0.031"
    assert figures.gain(0.1) == "+0.100"
    assert figures.between((0.1, 0.25, 0.95)) == "0.100 to 0.250"
    assert figures.between((-0.1, 0.25), signed=True) == "-0.100 to +0.250"
    assert figures.between(None) == "-"


def test_counts():
    assert figures.count(12345.4, "tokens") == "12,345 tokens"
    assert figures.count(None) == "-"
    assert figures.number_of(1, "record") == "1 record"
    assert figures.number_of(2000, "record") == "2,000 records"
    assert figures.number_of(2, "history", "histories") == "2 histories"


def test_p_values():
    assert figures.p_value(0.03125) == "0.031"
    assert figures.p_value(0.0001) == "< 0.001"
