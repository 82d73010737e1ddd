from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.metrics.dates import Date, find_dates
from designsearch.search.metrics.fold import fold
from designsearch.search.metrics.lines import figures, figures_of, joined_words, lines_of, outside
from designsearch.search.metrics.words import spaced

PIECES = st.sampled_from(
    "7 31 May may. Sept. 2023 2023-05-07 13/05/2023 5/7/2023 of the day at 12:30 st 1st nd , . - / 1,200 ps5 "
    "é Σ İ ﬁ 茶 ½ ` twenty 2023,500 8:30 z 355kcal ( foo".split(" ")
)
GAPS = st.sampled_from(["", " ", " ", "\n", "\n", "  ", "\n ", "\r\n", "\u2028"])
TEXTS = st.lists(st.tuples(PIECES, GAPS), max_size=25).map(lambda parts: "".join(a + b for a, b in parts))


@given(TEXTS)
def test_lines_say_what_the_whole_text_says(text):
    lines, whole = lines_of(text), fold(text)
    assert "\n".join(line.folded for line in lines) == whole
    assert joined_words(lines) == spaced(whole)
    assert figures_of(lines) == figures(whole)


def test_figures():
    found = figures(fold("On 7 May 2023 at 8:30 I paid 1,200 for 2 PS5s"))
    assert found.dates == {Date(2023, 5, 7)}
    assert found.numbers == {"8:30", "1200", "2"}


def test_a_date_over_two_lines():
    assert figures_of(lines_of("we met on 7\nMay\n2023 at noon")).dates == {Date(2023, 5, 7)}
    assert figures_of(lines_of("7 May\n- 2023")).dates == {Date(None, 5, 7)}


def test_outside():
    text = "on 7 may 2023 and 3 june"
    assert outside(text, list(find_dates(text))) == "on   and  "


def test_long_lines_are_read_too():
    text = "x " * 2000 + "on 7 May 2023"
    assert figures_of(lines_of(text)).dates == {Date(2023, 5, 7)}
