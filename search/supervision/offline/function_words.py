"""Words that say nothing of what a text is about, beside the English ones that search leaves out.

For texts that are not in English there are the most frequent words of some other languages: their phrases are then made
of content words too.
"""

from __future__ import annotations

import re

from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, words_of

ENGLISH_SHARE = 0.15
"""Share of English function words from which on a text is taken for English."""
LONGEST_WORD = 40
"""Characters; what is longer is no word."""
LONGEST_RUN = 8
"""Likewise in scripts without spaces, where a longer run is a clause."""
SPACELESS = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")

_FURTHER = frozenset(
    "across along alongside although amid among amongst around atop away behind beside besides beyond despite "
    "else except inside instead later least less near nearby none outside per plus rather regarding since "
    "somewhere soon therefore though throughout together toward unless unlike upon versus via whatever "
    "whenever whereas wherever whether whose yet one two three four five six seven eight nine ten many several "
    "another other others every either neither enough almost already ever even mine twice dr mr mrs ms prof "
    "anyway cannot someone anyone everyone".split()
)
_VERBS = frozenset(
    "agree call cost open allow appear appreciate believe belong celebrate consider continue decide deserve "
    "discuss enjoy ensure expect explain guess happen hear hope imagine include involve let listen mean "
    "mention notice provide realise realize receive remain remember remind seem sound suggest suppose thank "
    "understand wonder admire attach feel keep make take give get go bring come become begin do have need want "
    "try say tell find look know think".split()
)
_OTHER_LANGUAGES = frozenset(
    # German, Spanish, Portuguese, French, Italian, Dutch
    "der die das den dem des ein eine einen einem einer eines und oder aber ich du er sie es wir ihr mich dich sich "
    "uns mir dir ihm ihnen mein meine meinen meinem meiner dein sein seine seinen ist sind war waren bin bist hat "
    "haben habe hatte hatten wird werden wurde wurden kann muss nicht kein keine auch noch nur schon sehr so wie "
    "als wenn dass weil mit von vom bei zu zum zur nach aus auf an am in im für über unter vor durch um gegen ohne "
    "bis heute gestern morgen el la los las un una unos unas y e o u pero que de del al a en con por para sin sobre "
    "entre yo tu tú él ella nosotros me te se nos le les lo mi mis su sus son fue fueron era eran ser estar está "
    "están ha han había he hay no sí muy más como cuando porque ayer hoy mañana os as uma não do da dos na nas em "
    "com foi eu ele ela ao une et ou mais je il elle nous vous ils elles mon ma mes ton sa ses ce cet cette est "
    "sont était étaient été être avoir ont ai dans sur avec pour par sans plus très pas ne au aux qui hier "
    "aujourd'hui demain gli uno anche io noi sono stato per tra fra nel nella della delle degli alla ieri oggi "
    "domani het een ik jij hij zij wij van voor met naar bij op aan uit over zijn heb hebben heeft niet geen ook "
    "gisteren".split()
)


def is_english(text: str) -> bool:
    """Whether function words of a text are English ones; so is a text too short to tell."""
    words = words_of(text)
    shared = sum(word in STOP for word in words)
    others = sum(word in _OTHER_LANGUAGES and word not in STOP for word in words)
    return shared >= ENGLISH_SHARE * len(words) or shared >= others


def is_function(word: str, *, english: bool = True) -> bool:
    """Whether a word, as it is written, carries no content: ``the``, ``she's``, ``don't``, ``since``."""
    lowered = word.casefold().replace("’", "'")
    base = lowered.removesuffix("'s")
    if (
        len(word) > (LONGEST_RUN if SPACELESS.search(word) else LONGEST_WORD)
        or base in STOP
        or base in INTERJECTIONS
        or base in _FURTHER
    ):
        return True
    return "'" in base or (not english and lowered in _OTHER_LANGUAGES)


def is_common_verb(word: str) -> bool:
    """Whether a casefolded word is a form, as ``sounds`` or ``celebrated``, of a verb that nearly any text has."""
    stems = [word, word[:-1], word[:-2], word[:-3], f"{word[:-3]}e"]
    endings = ["", "s", "es", "ing", "ing"]
    if word.endswith(("ed", "d")):
        stems, endings = [*stems, word[:-2], word[:-1]], [*endings, "ed", "d"]
    return any(s in _VERBS and word.endswith(e) for s, e in zip(stems, endings, strict=True))
