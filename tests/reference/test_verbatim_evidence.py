"""The evidence check against a second implementation of the same definition that shares no code or technique with it.

The definition: the sentences of a gold text stand in the context word for word, at least 0.8 of its words in whole
sentences, and every sentence that holds a digit.
"""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from designsearch.search.metrics.evidence import sentences, verbatim, words_of


def slow_words(text):
    """Words character by character."""
    found, word = [], ""
    for c in text.lower() + " ":
        if c.isalnum() or c == "_":
            word += c
        elif word:
            found.append(word)
            word = ""
    return found


def slow_sentences(text):
    """Sentences character by character: white space after a full stop, or a line break, ends one."""
    parts, part, at = [], "", 0
    while at < len(text):
        after_stop = part[-1:] in (".", "!", "?") if part else at > 0 and text[at - 1] in ".!?"
        if (after_stop and text[at].isspace()) or text[at] == "\n":
            parts.append(part)
            part = ""
            while at < len(text) and (text[at].isspace() if after_stop else text[at] == "\n"):
                at += 1
        else:
            part += text[at]
            at += 1
    return [words for words in map(slow_words, [*parts, part]) if words]


def slow_present(gold, context):
    """Every sentence slid along the context."""
    shown = slow_words(context)

    def stands(words):
        return any(shown[i : i + len(words)] == words for i in range(len(shown) - len(words) + 1))

    parts = slow_sentences(gold)
    if any(not stands(p) and any(c.isdigit() for w in p for c in w) for p in parts):
        return False
    return 5 * sum(len(p) for p in parts if stands(p)) >= 4 * sum(len(p) for p in parts)


def fast_present(gold, context):
    return verbatim(sentences(gold), words_of(context))


WORDS = st.sampled_from(["tea", "green", "Cat", "7", "3rd", "x_y", "é", "naïve", "İ", "ß", "٣", "茶", "I"])
GAPS = st.sampled_from([" ", ". ", "! ", "?\n", "\n", "\n\n", ", ", ".", "...\u00a0", " - ", "'", "\u2028", ".\x1c"])
TEXTS = st.lists(st.tuples(WORDS, GAPS), max_size=12).map(lambda pairs: "".join(w + g for w, g in pairs))


@settings(max_examples=400)
@given(TEXTS, TEXTS)
def test_agrees_on_unrelated_texts(gold, context):
    assert fast_present(gold, context) == slow_present(gold, context)


@settings(max_examples=400)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_agrees_on_damaged_copies(parts, data):
    gold = " ".join(parts)
    kept = data.draw(st.lists(st.sampled_from(slow_sentences(gold) or [[]]), max_size=6))
    context = "\n".join(" ".join(words) for words in kept)
    assert fast_present(gold, context) == slow_present(gold, context)


@settings(max_examples=300)
@given(st.text(max_size=60), st.text(max_size=60))
@example("A. \nB", "a b")
@example("\n\n", "")
@example("One two three four. Five!", "ONE, two: three\nfour")
@example("One two three four. Five 5!", "one two three four five")
def test_agrees_on_any_text(gold, context):
    assert fast_present(gold, context) == slow_present(gold, context)
    assert fast_present(gold, gold) is True
