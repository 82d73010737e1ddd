"""Words of a text, their stems, and the lists of English words that carry no content."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

_NO_SPACES = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
"""Thai, kana and Chinese characters: written without spaces, so each counts as a word."""

WORD = re.compile(rf"[{_NO_SPACES}]|[^\W_{_NO_SPACES}]+(?:['’][^\W_{_NO_SPACES}]+)*")

STOP = frozenset(
    "a about above after again against ago all also am an and any are aren't as at be because been before being below "
    "between both but by can can't could couldn't did didn't do does doesn't doing don't down during each few for from "
    "further get got had hadn't has hasn't have haven't having he her here hers herself him himself his how however i "
    "i'd i'll i'm i've if in into is isn't it it's its itself just let's like may me might more most much must my "
    "myself no nor not now of off oh on once only onto or other our ours ourselves out over own really s same shall "
    "she should shouldn't so some such than that that's the their theirs them themselves then there there's these they "
    "they're they've this those through thus to too towards under until up upon us very was wasn't we we'd we'll we're "
    "we've well were weren't what what's when where which while who whom whose why will with within without won't "
    "would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves im ive dont didnt".split()
)

FIRST_PERSON = frozenset(
    "i i'm i've i'd i'll me my mine myself we we're we've we'd we'll us our ours ourselves".split()
)
SECOND_PERSON = frozenset("you you're you've you'd you'll your yours yourself".split())
INTERJECTIONS = frozenset(
    "absolutely aww aw awesome btw bye congrats congratulations cool definitely glad great good ha haha hello hey hi "
    "hmm lol nah nice ok okay omg oof please sorry sure thank thanks totally ugh welcome whoa woo woohoo wow yay yeah "
    "yep yup".split()
)
NEGATIONS = frozenset("not no never none nobody nothing neither nor without cannot hardly".split())

_IRREGULAR = (
    "be:am is are was were been being|go:goes went gone going|have:has had having|do:does did done doing"
    "|get:got gotten|make:made|take:took taken|come:came|see:saw seen|find:found|give:gave given|think:thought"
    "|tell:told|become:became|leave:left|feel:felt|bring:brought|begin:began begun|keep:kept|hold:held"
    "|write:wrote written|stand:stood|hear:heard|mean:meant|meet:met|run:ran|pay:paid|sit:sat|speak:spoke spoken"
    "|lead:led|grow:grew grown|lose:lost|fall:fell fallen|send:sent|build:built|understand:understood|draw:drew drawn"
    "|break:broke broken|spend:spent|drive:drove driven|buy:bought|wear:wore worn|choose:chose chosen|eat:ate eaten"
    "|sell:sold|win:won|teach:taught|catch:caught|fight:fought|sing:sang sung|swim:swam swum|fly:flew flown"
    "|forget:forgot forgotten|ride:rode ridden|sleep:slept|steal:stole stolen|throw:threw thrown|wake:woke woken"
    "|know:knew known|show:showed shown|say:said|drink:drank drunk|hide:hid hidden|bake:baked|child:children"
    "|person:people persons|man:men|woman:women|foot:feet|mom:mother mum mommy|dad:father daddy|life:lives|wife:wives"
    "|dig:dug|bite:bitten|blow:blew blown|bend:bent|feed:fed|freeze:froze frozen|hang:hung|lend:lent|light:lit"
    "|ring:rang rung|rise:risen|shake:shook shaken|shrink:shrank shrunk|sink:sank sunk|slide:slid|spin:spun"
    "|stick:stuck|sting:stung|strike:struck|swear:swore sworn|sweep:swept|swing:swung|tear:tore torn|weave:woven"
    "|weep:wept|deal:dealt|kneel:knelt|burn:burnt|learn:learnt|dream:dreamt|spell:spelt|beat:beaten|breed:bred"
    "|creep:crept|flee:fled|forgive:forgave forgiven|shine:shone|undergo:underwent undergone"
    "|withdraw:withdrew withdrawn|tooth:teeth|mouse:mice|goose:geese|shelf:shelves|knife:knives|wolf:wolves|loaf:loaves"
)

_NOUN_FORMS = frozenset(
    "children people persons men women feet mother mum mommy father daddy lives wives lead teeth mice geese shelves "
    "knives wolves loaves".split()
)
_COMMON_VERBS = frozenset(
    "enjoy enjoys love loves like likes visit visits play plays include includes including bring buy eat prefer need "
    "want try plan read make take see find give use do go have work help offer add learn".split()
)


@cache
def _base_forms() -> dict[str, str]:
    rows = (row.split(":") for row in _IRREGULAR.split("|"))
    return {form: base for base, forms in rows for form in forms.split()}


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def plain(text: str) -> str:
    """The text in Unicode form NFC, so that what looks alike compares alike."""
    return unicodedata.normalize("NFC", text)


def words_of(text: str) -> list[str]:
    """The words in order, casefolded, with straight apostrophes and without a possessive ``'s``."""
    found = WORD.findall(text.casefold().replace("’", "'"))
    return [w[:-2] if w[-2:] == "'s" else w for w in found]


def stems_of(words: Sequence[str]) -> list[str]:
    """One stem a word: English Snowball, with irregular forms mapped to their base first."""
    base = _base_forms()
    different = list(dict.fromkeys(words))
    stems = dict(zip(different, _stemmer().stemWords([base.get(w, w) for w in different]), strict=True))
    return [stems[w] for w in words]


def is_negated(words: Sequence[str]) -> bool:
    """Whether a word among these denies."""
    return any(w in NEGATIONS or w.endswith("n't") for w in words)


def base_form(word: str) -> str:
    """The base form of an irregular word in lower case (``go`` for ``went``); any other word as it is."""
    return _base_forms().get(word, word)


def is_verb_form(word: str) -> bool:
    """Whether a word is surely a verb: an irregular form, a common verb, or one that ends in ``ed``."""
    return (
        (word in _base_forms() and word not in _NOUN_FORMS)
        or word in _COMMON_VERBS
        or (len(word) > 4 and word.endswith("ed"))
    )
