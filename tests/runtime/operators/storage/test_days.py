"""All records of a day as one memory."""

from runtime_fakes import call, history_of

ENTRIES = [
    {"text": "a", "time": "2024-03-01T23:59", "session": "s", "source": "chat"},
    {"text": "b", "time": "2024-03-02T00:01", "session": "s", "source": "chat"},
    {"text": "c", "time": "2024-03-02", "session": "t", "source": "email"},
    {"text": "d"},
    {"text": "e"},
]


def test_a_day_is_a_local_one_whatever_the_session_and_what_has_no_time_stands_alone():
    texts = call("units", "days", history_of(ENTRIES)).texts
    assert set(texts) == {"a", "c\nb", "d", "e"}
    assert texts.index("a") < texts.index("c\nb")


def test_sources():
    assert set(call("units", "days", history_of(ENTRIES), sources=("chat",)).texts) == {"a", "b"}
