"""The composition of the roles: which rules or models make and check the questions of a history."""

from __future__ import annotations

from functools import partial

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.settings import Role
from designsearch.runtime.records import History
from designsearch.search.costs import Costs, by_role
from designsearch.search.purse import Purse
from designsearch.search.supervision.cast import Cast, Verify, as_it_is, unverified
from designsearch.search.supervision.contracts import Generator, Reader, Reviewer
from designsearch.search.supervision.models.generators import make_generator
from designsearch.search.supervision.models.reader import ModelReader
from designsearch.search.supervision.models.reviewer import ModelReviewer
from designsearch.search.supervision.offline.generator import RuleGenerator, make_offline_generator
from designsearch.search.supervision.reading.reader import OfflineReader
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.review.reviewer import OfflineReviewer
from designsearch.search.supervision.settings import SupervisionSettings, making_roles
from designsearch.search.supervision.shares import askable
from designsearch.search.supervision.verification.history_search import HistorySearch
from designsearch.search.supervision.verification.verify import verify
from designsearch.search.supervision.verification_settings import VerificationSettings


def work_of(history: History) -> str:
    """What the calls for a history's questions are booked on."""
    return f"questions {history.name}"


def make_cast(history: History, settings: SupervisionSettings, purse: Purse) -> Cast:
    """Who makes and checks the questions of a history: the purse's models, and rules for roles that it has none for.

    Raises:
        UserError: the history has no such role as the settings name.
    """
    models = {role: _model(purse, role) for role in making_roles(settings)}
    checks, fingerprints = _verification(history, settings, models)
    plain = models.get("reviewer") is None and models.get("reader") is None
    generator = _generator(history, settings, models["planner"], plain=plain)
    return Cast(
        generator=generator,
        verify=checks,
        reword=generator.reworded if plain and isinstance(generator, RuleGenerator) else as_it_is,
        fingerprints=fingerprints,
        offline=all(model is None for model in models.values()),
        costs=partial(_costs, purse, work_of(history)),
    )


def _model(purse: Purse, role: Role) -> Model | None:
    return purse.team.model(role) if purse.team is not None else None


def _generator(history: History, settings: SupervisionSettings, model: Model | None, *, plain: bool) -> Generator:
    name, unanswerable, updated = settings.generator, settings.unanswerable, settings.updated
    if model is not None:
        return make_generator(name, model, unanswerable=unanswerable, updated=updated)
    allowed = askable(history, settings.roles)
    return make_offline_generator(
        name, history, allowed=allowed, unanswerable=unanswerable, updated=updated, plain=plain
    )


def _verification(
    history: History, settings: SupervisionSettings, models: dict[Role, Model | None]
) -> tuple[Verify, dict[str, str]]:
    if not settings.verify:
        return unverified, {}
    soft = None if models["reviewer"] and models["reader"] else SoftWords(history.texts)
    reviewer: Reviewer = ModelReviewer(one) if (one := models["reviewer"]) else OfflineReviewer(soft)
    reader: Reader = ModelReader(one) if (one := models["reader"]) else OfflineReader(soft)
    checks = partial(
        verify,
        reviewer=reviewer,
        reader=reader,
        search=HistorySearch(history, allowed=askable(history, settings.roles)),
        settings=VerificationSettings(settings.necessity, settings.uniqueness),
    )
    return checks, {"reviewer": reviewer.fingerprint, "reader": reader.fingerprint}


def _costs(purse: Purse, work: str) -> Costs:
    """What was taken for one history, over all runs."""
    if purse.calls is None:
        return {}
    return by_role(tally for tally in purse.calls.tallies() if tally.work == work)
