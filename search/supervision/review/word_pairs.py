"""English words that mean the opposite of each other, and common words that may stand for others.

Embeddings tell neither: opposites stand in the same places, so their vectors are near, and the most common verbs stand
everywhere, so theirs are near to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from designsearch.runtime.models.offline.words import stems_of

_OPPOSITES = (
    "buy:sell|purchase:sell|lend:borrow|win:lose|find:lose|open:close,shut|start:stop,end,finish|begin:end,finish,stop"
    "|arrive:leave,depart|come:go,leave|enter:leave,exit|accept:refuse,reject,decline|approve:reject|allow:forbid,ban"
    "|increase:decrease,reduce|rise:fall,drop|grow:shrink|raise:lower|love:hate|like:dislike,hate|enjoy:hate,dislike"
    "|give:take,receive,get|send:receive,get|teach:learn,study|remember:forget|pass:fail|succeed:fail|add:remove,delete"
    "|agree:disagree|marry:divorce|hire:fire,sack|join:leave,quit|push:pull|build:demolish,destroy|lock:unlock"
    "|pack:unpack|load:unload|import:export|invite:uninvite|praise:criticise,criticize,blame|keep:discard,sell"
    "|adopt:abandon|hot:cold|warm:cool,cold|big:small,little|large:small,little|high:low|long:short|tall:short"
    "|old:new,young|good:bad|better:worse|best:worst|same:different|rich:poor|strong:weak|happy:sad,unhappy"
    "|full:empty|heavy:light|cheap:expensive|fast:slow|early:late|earlier:later|earliest:latest|first:last"
    "|easy:hard,difficult|true:false|right:wrong|left:right|safe:dangerous|healthy:sick,ill|alive:dead|male:female"
    "|brother:sister|mother:father|son:daughter|husband:wife|uncle:aunt|nephew:niece|boy:girl|man:woman"
    "|grandmother:grandfather|friend:enemy|morning:evening|day:night|north:south|east:west|black:white|indoor:outdoor"
    "|always:never|often:rarely,seldom|inside:outside|upstairs:downstairs|maximum:minimum|profit:loss|more:less,fewer"
    "|most:least,fewest|many:few|all:none|every:no|everybody:nobody|everyone:nobody"
)
_FUNCTION_WORDS = (
    "before:after|to:from|into:out|in:out|on:off|up:down|over:under|above:below|with:without|until:since|more:less,fewer"
    "|most:least,fewest|many:few|all:none,no|inside:outside"
)
_ALIKE = (
    "go visit travel head|get receive obtain acquire|like love enjoy prefer adore|plan intend want hope aim"
    "|own possess have|make prepare cook bake produce create|call phone ring telephone|live reside dwell"
    "|fix repair mend|move relocate|begin start commence|end finish complete|ask request|work job employ|show display"
    "|try attempt|need require|help assist aid|choose pick select|ill sick unwell|hurt injure|take bring carry"
    "|cost pay price spend|learn study hear|see watch|say state tell|photo picture|die pass|quit resign|wed marry"
    "|lend loan|walk stroll"
)
_BROADER = (
    "go:row drive fly sail ride cycle walk run hike swim climb|travel:row drive fly sail ride cycle"
    "|take:pack grab fetch|make:cook bake build knit sew draw paint brew craft|drink:sip|eat:taste|use:wear"
)
"""Verbs that say less than others: who rowed somewhere went there, but not the other way round."""


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """By stem, the stems of its opposites."""
    return _pairs(_OPPOSITES, stemmed=True)


@cache
def opposite_function_words() -> Mapping[str, frozenset[str]]:
    """By function word, its opposites."""
    return _pairs(_FUNCTION_WORDS, stemmed=False)


@cache
def meanings() -> Mapping[str, frozenset[str]]:
    """By stem of a word, the stems of those that say what it says, or more."""
    found: dict[str, frozenset[str]] = {}
    for row in _ALIKE.split("|"):
        group = frozenset(stems_of(row.split()))
        found.update((stem, found.get(stem, frozenset()) | group) for stem in group)
    for row in _BROADER.split("|"):
        word, _, narrower = row.partition(":")
        stem = stems_of([word])[0]
        found[stem] = found.get(stem, frozenset()) | frozenset(stems_of(narrower.split()))
    return found


def _pairs(rows: str, *, stemmed: bool) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in rows.split("|"):
        one, _, others = row.partition(":")
        words = [one, *others.split(",")]
        own, *rest = stems_of(words) if stemmed else words
        for other in rest:
            found.setdefault(own, set()).add(other)
            found.setdefault(other, set()).add(own)
    return {word: frozenset(others) for word, others in found.items()}
