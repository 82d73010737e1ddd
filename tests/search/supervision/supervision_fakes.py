"""Scripted roles for tests of the loop: what they make depends on the material alone."""

import json
import random
import re
import time
from dataclasses import dataclass

from supervision_histories import make_history

from designsearch.search.supervision.cast import Cast
from designsearch.search.supervision.contracts import Draft, Rejection
from designsearch.search.supervision.plans import Citation, Contribution, Fact, Operation, Plan
from designsearch.search.supervision.verification_settings import Verified

NOUNS = "kiln glaze violin harbour lentil ledger orchid canoe saddle turbine quarry beacon walnut tunnel magnet".split()
PLACES = "Lisbon Oslo Quito Hanoi Turin Accra Malmo Perth Leeds Izmir Dakar Osaka Sofia Natal Pune".split()


def lively_history(records=400, seed=1):
    """Conversations of forty messages over some months, no two messages alike."""
    draw = random.Random(seed)
    rows = []
    for i in range(records):
        noun, place, code = draw.choice(NOUNS), draw.choice(PLACES), draw.randrange(10**6)
        rows.append(
            {
                "text": f"In {place} I saw the {noun} that they number {code}, near the {draw.choice(NOUNS)} {i}.",
                "session": f"s{i // 40}",
                "time": f"2024-{1 + i * 9 // records:02d}-{1 + i % 28:02d}",
                "role": "user" if i % 2 == 0 else "assistant",
            }
        )
    return make_history(*rows)


@dataclass
class ScriptedGenerator:
    """One question a bundle, on its first record, or on two, as the item's own chance has it.

    Attributes:
        lost: share of bundles that are lost at the plan.
        kinds: kinds of question to choose from.
        seconds: that a bundle takes.
        unanswerable: share of drafts that have no answer.
        words: of every question, where they shall all be the same.
    """

    name: str = "scripted"
    fingerprint: str = "scripted 1"
    lost: float = 0.3
    kinds: tuple[str, ...] = ("lookup", "bridge", "count")
    seconds: float = 0.0
    unanswerable: float = 0.1
    words: str = ""
    failed: bool = False

    def draft(self, materials):
        return [self._one(material) for material in materials]

    def _one(self, material):
        time.sleep(self.seconds)
        draw = random.Random(material.seed)
        if draw.random() < self.lost:
            return Rejection("plan", "no plan", f"bundle {material.ordinal}", failed=self.failed)
        if draw.random() < self.unanswerable:
            plan = Plan(f"what {material.seed} is", "text", None, kind="unanswerable", answerable=False)
            return Draft(material, plan, self.words or f"Which {draw.choice(NOUNS)} was painted {material.seed}?")
        chosen = material.sources[: 1 + (draw.random() < 0.5)]
        words = " ".join(chosen[-1].text.split()[-4:])
        facts = tuple(
            Fact(f"f{i}", one.text, (Citation(one.record, 0, 5, one.text[:5]),)) for i, one in enumerate(chosen)
        )
        plan = Plan(
            intent=f"what is near {words}",
            answer_type="text",
            answer=chosen[0].text.split()[1],
            facts=facts,
            evidence=tuple(Contribution(one.record, "says so") for one in chosen),
            operations=(Operation("lookup", ("f0",), "answer"),),
            kind=draw.choice(self.kinds),
        )
        return Draft(material, plan, self.words or f"Where is what {chosen[0].record} calls {words}?")


def strict(drafts):
    """Every fifth or so fails its audit, by its own chance."""
    return [
        Rejection("audit", "not supported") if random.Random(one.material.seed + 1).random() < 0.2 else Verified(one)
        for one in drafts
    ]


def cast_of(generator=None, verify=strict, **more):
    return Cast(generator or ScriptedGenerator(), verify, {"reviewer": "strict 1"}, **more)


def direct_planner(path, body, number):
    """A server's planner (``direct``) that asks for the number in a record of the lively history."""
    if path != "/chat/completions":
        return None
    text = body["messages"][-1]["content"]
    found = re.search(r"the (\w+) that they number (\d+), near the (\w+) (\d+)", text)
    return json.dumps(
        {
            "quote": found[0],
            "question": f"Which number does the {found[1]} have that was seen near {found[3]} {found[4]}?",
            "answer_type": "number",
            "answer": int(found[2]),
        }
    )
