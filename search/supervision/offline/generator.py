"""The generators by rules, by the names of those that ask a model.

``plan`` makes a plan, has the program check it, and words the question; once that is verified, in other words than the
evidence's (:meth:`RuleGenerator.reworded`).
``plan-one-response`` makes both at once: spans are asked for that are not the only ones of their kind, and the question
keeps the record's own words. ``direct`` does the same from a single record; ``corpus`` asks about a word that two
records share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.records import History
from designsearch.search.supervision.checks.checks import PROGRAM_CHECKS, Checks, rejected
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.offline.counts import count
from designsearch.search.supervision.offline.lookups import lookup, when
from designsearch.search.supervision.offline.manner import VERBATIM, Manner
from designsearch.search.supervision.offline.moments import moment
from designsearch.search.supervision.offline.pairs import between, bridge, order
from designsearch.search.supervision.offline.sketch import Kind, Making, Sketch
from designsearch.search.supervision.offline.surroundings import Surroundings
from designsearch.search.supervision.offline.themes import theme
from designsearch.search.supervision.offline.topics import worded
from designsearch.search.supervision.offline.unknowns import unanswerable
from designsearch.search.supervision.offline.updates import updated
from designsearch.search.supervision.plans import Plan

KINDS: Mapping[str, Mapping[Kind, float]] = {
    "plan": {lookup: 0.3, when: 0.15, bridge: 0.3, between: 0.05, order: 0.1, count: 0.1},
    "plan-one-response": {lookup: 0.3, when: 0.15, bridge: 0.3, between: 0.05, order: 0.1, count: 0.1},
    "direct": {lookup: 0.7, when: 0.3},
    "corpus": {theme: 1.0},
}
"""By generator, the kinds of questions with the share of the bundles on which each is tried first."""

NAMES_TIME = 0.5
"""Share of the questions that name a time, where they may."""

WORDINGS = 3
"""Wordings that are tried until one passes the checks."""


class RuleGenerator:
    """Makes drafts by rules; see :class:`~designsearch.search.supervision.contracts.Generator`.

    Args:
        name: one of :data:`KINDS`.
        around: the history.
        unanswerable: share of the bundles from which a question is made that the history leaves open.
        updated: share of the bundles from which a question is made about a value that changed.
        checks: of plans and questions.
        plain: whether drafts keep the record's own words, to be verified by rules and reworded then; else they are
            reworded at once, as models verify them that understand other words.
    """

    def __init__(
        self,
        name: str,
        around: Surroundings,
        *,
        unanswerable: float = 0.0,
        updated: float = 0.0,
        checks: Checks = PROGRAM_CHECKS,
        plain: bool = True,
    ) -> None:
        self._name = name
        self._around = around
        self._shares = (unanswerable, updated)
        self._checks = checks
        self._plain = plain

    @property
    def name(self) -> str:
        """As ``--generator`` names it."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Of the rules' own source text and the shares."""
        return f"offline-{self._name}-{_rules_hash()} {self._shares[0]:g} {self._shares[1]:g}"

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`."""
        plain = [self._draft(material, VERBATIM, "plain") for material in materials]
        return plain if self._plain else [self.reworded(one) if isinstance(one, Draft) else one for one in plain]

    def reworded(self, draft: Draft) -> Draft | Rejection:
        """The same question in other words.

        Rules cannot tell whether a question in other words is still the same question: what they verify is the plain
        wording, and the words are changed afterwards, under the program's checks.

        Args:
            draft: as :meth:`draft` made it, whatever happened to it since.
        """
        if self._name != "plan":
            return draft
        lost: Rejection | None = None
        for attempt in range(WORDINGS):
            manner = Manner.of(Random(f"{draft.material.seed} manner {attempt}"))  # noqa: S311
            made = self._draft(draft.material, manner, f"{attempt}")
            if isinstance(made, Draft) and _same(made.plan, draft.plan):
                return replace(made, as_of=draft.as_of)
            lost = lost or (made if isinstance(made, Rejection) else None)
        return lost or Rejection("question", "no words are left")

    def _draft(self, material: Material, manner: Manner, wording: str) -> Draft | Rejection:
        # nobody is to be kept from guessing
        chance, words = Random(material.seed), Random(f"{material.seed} words {wording}")  # noqa: S311
        if self._name == "direct":
            material = replace(material, sources=material.sources[:1], path=())
        making = Making(material, self._around, chance, words, manner, self._name == "plan")
        kinds = self._kinds(chance)
        sketch = next((made for kind in kinds if (made := kind(making))), None)
        if sketch is None:
            return Rejection("plan", "nothing to ask", f"none of {', '.join(kind.__name__ for kind in kinds)}")
        faults = self._checks.plan(sketch.plan, material)
        if faults:
            return rejected("check", faults)
        question = _worded(making, sketch)
        if not question:
            return Rejection("question", "no words are left")
        faults = self._checks.question(question, sketch.plan, material)
        return rejected("question", faults) if faults else Draft(material, sketch.plan, question)

    def _kinds(self, chance: Random) -> list[Kind]:
        """The kinds to try, in order: by their shares, dates last unless they are first, as every record has one."""
        left = chance.random()
        for kind, share in zip((unanswerable, updated), self._shares, strict=True):
            left -= share
            if left < 0:
                return [kind]
        shares = KINDS[self._name]
        # by chance, in which a larger share comes sooner (Efraimidis and Spirakis 2006)
        order = sorted(shares, key=lambda kind: -(chance.random() ** (1 / shares[kind])))
        return sorted(order, key=lambda kind: kind is when and kind is not order[0])


def _same(plan: Plan, verified: Plan) -> bool:
    """Whether a plan is the one that was verified: where the words of its kind ran out, another kind took its place.

    A choice between two things is answered in the words of the question, so there the words of the answer differ.
    """
    if (plan.kind, plan.answer_type, plan.records) != (verified.kind, verified.answer_type, verified.records):
        return False
    return _outcome(plan) == _outcome(verified)


def _outcome(plan: Plan) -> object:
    last = plan.operations[-1] if plan.operations else None
    if last is None or last.op != "compare":
        return plan.answer
    return last.how, [fact.id for fact in plan.facts if fact.about == plan.answer]


def _worded(making: Making, sketch: Sketch) -> str:
    """The question in words by chance; empty where nothing is left of a slot."""
    said = [worded(making.around, slot, making.manner, making.words) for slot in sketch.slots]
    if not all(said) or len(set(said)) < len(said):
        return ""
    question = "".join(piece for pair in zip_longest(sketch.frame, said, fillvalue="") for piece in pair)
    if sketch.day is not None and making.chance.random() < NAMES_TIME:
        question = f"{moment(sketch.day, making.chance, years=making.around.years)}, {question}"
    return question[:1].upper() + question[1:]


def make_offline_generator(
    name: str,
    history: History,
    *,
    allowed: NDArray[np.bool_] | None = None,
    unanswerable: float = 0.0,
    updated: float = 0.0,
    plain: bool = True,
) -> RuleGenerator:
    """The generator by rules of that name.

    Args:
        name: one of :data:`KINDS`.
        history: what is asked about.
        allowed: shape (records,): the rows whose words may be asked about; all where not given.
        unanswerable: share of the bundles from which a question is made that the history leaves open.
        updated: share of the bundles from which a question is made about a value that changed.
        plain: see :class:`RuleGenerator`.

    Raises:
        UserError: there is none of that name.
    """
    if name not in KINDS:
        hint = nearest(name, KINDS) or f"the generators are {', '.join(KINDS)}"
        raise UserError(f"there is no generator {name}; {hint}")
    around = Surroundings(history, allowed)
    return RuleGenerator(name, around, unanswerable=unanswerable, updated=updated, plain=plain)


@cache
def _rules_hash() -> str:
    """A changed rule makes other questions."""
    digest = blake2b(digest_size=6)
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(module.read_bytes())
    return digest.hexdigest()
