"""The roles that a study gives to models: each with its model, its server and the limits that it shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.books.spending import Caps
from designsearch.runtime.models.serving.address import Address, address_of
from designsearch.runtime.models.serving.identity import check_kind, fingerprint_of, kind_of
from designsearch.runtime.models.serving.limits import Limits
from designsearch.runtime.models.serving.local import LocalPlan, file_fingerprint, model_file
from designsearch.runtime.models.serving.sentence_vectors import SentenceVectors
from designsearch.runtime.models.settings import (
    LOCAL,
    OFFLINE,
    ROLES,
    SENTENCE_TRANSFORMERS,
    ModelSettings,
    Price,
    Role,
)

if TYPE_CHECKING:
    from designsearch.runtime.models.exchange.dialogue import Dialogue

EMBEDDER: Role = "embedder"

JSON_BY_GRAMMAR = {"structured": "json_schema", "tools": "json"}
"""What the llama.cpp that runs local models can: it holds a reply to a schema, and pays no heed to tools."""


@dataclass(frozen=True)
class Seat:
    """One role and its model.

    Attributes:
        role: the role.
        settings: of its model.
        name: what people call the model.
        fingerprint: stands for everything beside a request that a reply depends on.
        where: what stands for its server: its URL, or the content of the file.
        limits: of the server, shared by all roles that it serves.
        address: of the server, with its key; ``None`` where the model is on this machine.
        plan: the server to be run on this machine, where that is the way.
        sentences: the library's model, where that is the way.
    """

    role: Role
    settings: ModelSettings
    name: str
    fingerprint: str
    where: str
    limits: Limits
    address: Address | None = None
    plan: LocalPlan | None = None
    sentences: SentenceVectors | None = None

    @property
    def price(self) -> Price | None:
        """Of its tokens; what runs on this machine costs nothing."""
        return self.settings.price if self.address is not None else None

    def dialogue(self, url: str, facts: MutableMapping[str, str], say: Callable[[str], None]) -> Dialogue:
        """The conversation with its server at an address."""
        from designsearch.runtime.models.exchange.dialogue import Dialogue

        key = self.address.key if self.address is not None else None
        settings = self.settings
        if self.plan is not None:
            known = {name: way for name, way in JSON_BY_GRAMMAR.items() if getattr(settings, name) == "auto"}
            settings = settings.model_copy(update=known)
        return Dialogue(settings, url, key, f"models.{self.role}", facts, say)


def seats_of(settings: Mapping[Role, ModelSettings], caps: Caps, will_call: bool) -> dict[Role, Seat]:
    """The roles that are not offline, in the order of :data:`ROLES`.

    Args:
        settings: by role.
        caps: the limits of the study; one in dollars needs prices.
        will_call: whether calls may be sent; a replay sends none and needs no key.

    Raises:
        UserError: a setting cannot work, a key's variable is not set, or a price or a package is missing.
    """
    named = {role: settings[role] for role in ROLES if kind_of(settings.get(role)) != OFFLINE}
    for role, one in named.items():
        check_kind(role, one)
    _check_prices(named, caps)
    seats: dict[Role, Seat] = {}
    seats.update(_served({role: one for role, one in named.items() if kind_of(one) == "server"}, will_call))
    seats.update(_local({role: one for role, one in named.items() if kind_of(one) == LOCAL}))
    for role, one in named.items():
        if kind_of(one) == SENTENCE_TRANSFORMERS:
            source = SentenceVectors(one)
            seats[role] = Seat(role, one, one.model, source.fingerprint, one.model, Limits(1), sentences=source)
    return {role: seats[role] for role in named}


def _check_prices(named: Mapping[Role, ModelSettings], caps: Caps) -> None:
    without = [role for role, one in named.items() if kind_of(one) == "server" and one.price is None]
    if caps.usd is None or not without:
        return
    names = ", ".join(f"models.{role}.price" for role in without)
    raise UserError(
        f"{names}: a budget in US dollars needs the price of every model; write price: {{input: USD, output: USD}} for "
        "a million tokens, {input: 0, output: 0} for one that costs nothing, or leave budget.usd out"
    )


def _served(named: Mapping[Role, ModelSettings], will_call: bool) -> dict[Role, Seat]:
    places = {role: address_of(role, one, will_call) for role, one in named.items()}
    seats: dict[Role, Seat] = {}
    for url in dict.fromkeys(place.url for place in places.values()):
        sharing = [role for role, place in places.items() if place.url == url]
        limits = Limits.of([named[role] for role in sharing])
        for role in sharing:
            one, place = named[role], places[role]
            print_ = fingerprint_of(role, one, place.shown)
            seats[role] = Seat(role, one, f"{one.model} at {place.shown}", print_, url, limits, address=place)
    return seats


def _local(named: Mapping[Role, ModelSettings]) -> dict[Role, Seat]:
    """Roles of one file share a server, except that vectors need one of their own."""
    groups: dict[tuple[Path, bool], list[Role]] = {}
    for role, one in named.items():
        groups.setdefault((model_file(role, one), role == EMBEDDER), []).append(role)
    seats: dict[Role, Seat] = {}
    for (file, embedding), sharing in groups.items():
        every = [named[role] for role in sharing]
        wanted = Limits.of(every)
        plan = LocalPlan.of(file, embedding, every, wanted.concurrency)
        limits = Limits(plan.parallel, wanted.per_minute)
        content = file_fingerprint(file)
        for role in sharing:
            one = named[role]
            print_ = fingerprint_of(role, one, content)
            seats[role] = Seat(role, one, f"{LOCAL} ({file.name})", print_, content, limits, plan=plan)
    return seats
