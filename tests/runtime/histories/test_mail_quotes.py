"""A mail's own words, apart from quotes and signature."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.mail_quotes import own_words

INTRODUCTIONS = [
    "On Mon, Jan 1, 2024 at 10:00 AM Ana Ruiz <ana@example.org> wrote:",
    "On Mon, Jan 1, 2024 at 10:00 AM Ana Ruiz\n<ana@example.org> wrote:",
    "Am 01.01.2024 um 10:00 schrieb Ana Ruiz:",
    "Am Mo., 1. Jan. 2024 um 10:00 Uhr schrieb Ana Ruiz <ana@example.org>:",
    "Le lun. 1 janv. 2024 à 10:00, Ana Ruiz <ana@example.org> a écrit :",
    "El lun, 1 ene 2024 a las 10:00, Ana Ruiz (<ana@example.org>) escribió:",
    "Il giorno lun 1 gen 2024 alle ore 10:00 Ana Ruiz <ana@example.org> ha scritto:",
    "Op ma 1 jan 2024 om 10:00 schreef Ana Ruiz <ana@example.org>:",
    "Em seg., 1 de jan. de 2024 às 10:00, Ana Ruiz <ana@example.org> escreveu:",
    "Den mån 1 jan. 2024 kl 10:00 skrev Ana Ruiz <ana@example.org>:",
    "pon., 1 sty 2024 o 10:00 Ana Ruiz <ana@example.org> napisał(a):",
    "пн, 1 янв. 2024 г. в 10:00, Ana Ruiz <ana@example.org>\nпишет:",
    "Ana Ruiz <ana@example.org> 于2024年1月1日周一 10:00写道：",
    "2024年1月1日(月) 10:00 Ana Ruiz <ana@example.org>:",
    "2024-01-01 10:00 GMT+01:00 Ana Ruiz <ana@example.org>:",
]


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_an_answer_above_a_quote(introduction):
    text = f"At nine.\n\n{introduction}\n\n> When\n> do we meet?\n>\n> Ana\n"
    own = own_words(text)
    assert own.text == "At nine."
    assert own.quoted >= 5


@pytest.mark.parametrize("introduction", INTRODUCTIONS[:3])
def test_a_quote_without_marks(introduction):
    assert own_words(f"At nine.\n\n{introduction}\n\nWhen do we meet?\nAna\n").text == "At nine."


def test_answers_between_quoted_lines_are_kept():
    own = own_words("On 1 Jan 2024, Bo wrote:\n> tea?\nyes\n> cake?\nno, thanks\n\n--\nAna\n")
    assert own == ("yes\nno, thanks", 3, 2)


@pytest.mark.parametrize(
    "older",
    [
        "-----Original Message-----\nFrom: Bo\nSent: Monday\nSubject: Tea\n\nTea?",
        "-----Ursprüngliche Nachricht-----\nVon: Bo\n\nTee?",
        "________________\nFrom: Bo <bo@example.org>\nSent: Monday, 1 January 2024\nTo: Ana\nSubject: Tea\n\nTea?",
        "Von: Bo <bo@example.org>\nGesendet: Montag, 1. Januar 2024 10:00\nAn: Ana\nBetreff: Tee\n\nTee?",
        "De : Bo <bo@example.org>\nEnvoyé : lundi 1 janvier 2024 10:00\nÀ : Ana\nObjet : Thé\n\nThé ?",
        "*From:* Bo\n*Date:* Monday\n*To:* Ana\n*Subject:* Tea\n\nTea?",
    ],
)
def test_an_older_mail_below(older):
    own = own_words(f"At nine.\n\n{older}\n")
    assert own.text == "At nine."
    assert own.quoted >= 3


@pytest.mark.parametrize(
    ("subject", "below"),
    [
        ("Trip", "---------- Forwarded message ---------\nFrom: Bo\nDate: Monday\nSubject: Tea\n\n> Tea\n-- \nBo"),
        ("Trip", "Begin forwarded message:\n\nFrom: Bo\nDate: Monday\nSubject: Tea\n\nTea"),
        ("FW: Trip", "From: Bo\nSent: Monday\nTo: Ana\nSubject: Tea\n\nTea"),
        ("WG: Reise", "-----Ursprüngliche Nachricht-----\nVon: Bo\n\nTee"),
    ],
)
def test_what_is_forwarded_stays(subject, below):
    assert own_words(f"Look:\n> old\n\n{below}\n", subject) == (f"Look:\n\n{below}", 1, 0)


def test_what_is_forwarded_within_a_quote_goes_with_it():
    text = "Ok\n\n-----Original Message-----\nFrom: Bo\n\n---------- Forwarded message ---------\nTea"
    assert own_words(text).text == "Ok"


@pytest.mark.parametrize(
    "text", ["> all\n> of it", "On 1 Jan 2024, Bo wrote:\n> tea?", "-----Original Message-----\nTea"]
)
def test_a_mail_that_is_only_a_quote_keeps_it(text):
    assert own_words(text) == (text, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "On Friday my doctor wrote:\nTake two pills.",
        "From: the heart\nTo: you",
        "a\n--\n" + "\n".join(f"line {i}" for i in range(20)),
        "Dear Ana,\nit costs 5 > 3 euros\n-- not a mark",
    ],
)
def test_what_only_looks_like_a_quote_stays(text):
    assert own_words(text).text == text


def test_signatures():
    assert own_words("Hi\n-- \nAna\nTel. 1") == ("Hi", 0, 3)
    assert own_words("-- \nAna") == ("-- \nAna", 0, 0)


@given(
    st.text()
    | st.lists(st.sampled_from([*INTRODUCTIONS, "> q", "", "-- ", "text", "From: a", "Date: b", "Subject: c"])).map(
        "\n".join
    )
)
def test_every_text_keeps_words(text):
    own = own_words(text)
    assert bool(own.text.strip()) == bool(text.strip("\n").strip())
    assert own_words(own.text).text.strip() != "" or not own.text.strip()
