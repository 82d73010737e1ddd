"""Read the ``models`` of a study, or of a file of models: every mistake with its place, and no key in any message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from designsearch.dsl.complaints import short
from designsearch.dsl.drafts import Drafter
from designsearch.dsl.paths import Path as Place
from designsearch.dsl.problems import Problem, nearest
from designsearch.runtime.models.settings import LOCAL, OFFLINE, ROLES, SENTENCE_TRANSFORMERS, ModelSettings
from designsearch.search.study_shape import BudgetShape, ModelsShape, RoleModel

DEFAULT = "default"
"""Plays every role that is not named, except that of the embedder."""

KEYS = (DEFAULT, *ROLES)

_KEY_NAMES = re.compile(r"(?i)(api_?key|key|secret|token|password|authorization|bearer|x-api-key)")
"""Names under which people put a key, case and hyphens aside."""

_KEY_LIKE = re.compile(r"\b(sk-|pk-|gsk_|hf_|xai-|AIza)[A-Za-z0-9_-]{8,}|(?i:bearer)\s+\S{8,}")
"""What keys of the known services look like."""

_NO_KEYS = ("model", "file")
"""Settings that are names, whatever they look like."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_URL = re.compile(r"https?://[^\s/]+")
_PRICED = "add price: {input: 0.4, output: 1.6} (US dollars a million tokens), or cap llm_calls instead"
_KEY_REMEDY = "put the key into an environment variable, and name that with api_key_env: MY_KEY"


def models_of(written: Any, drafter: Drafter, place: Place = ("models",)) -> ModelsShape:
    """The models that a block names; what is wrong with it is reported to the drafter.

    Args:
        written: the block's value.
        drafter: knows the source; its problems grow, and lose every text that looks like a key.
        place: where the block stands.
    """
    if not isinstance(written, dict):
        drafter.report(place, "models is a mapping of roles", f"one of {', '.join(KEYS)}, each with a model")
        return ModelsShape()
    found: dict[str, RoleModel] = {}
    for key, value in written.items():
        if key not in KEYS:
            others = f"the roles are {', '.join(ROLES)}; {DEFAULT} stands for all but the embedder"
            hint = nearest(str(key), KEYS) or others
            drafter.report((*place, key), f"unknown role {key}", hint, key=True)
            continue
        made = _model(key, value, drafter, (*place, key))
        if made is not None:
            found[key] = made
    secrets = [text for value in written.values() for _, text in _secrets(value, ())]
    drafter.problems = [_masked(problem, secrets) for problem in drafter.problems]
    return ModelsShape.model_validate(found)


def _model(role: str, value: Any, drafter: Drafter, place: Place) -> RoleModel | None:
    if value == OFFLINE:
        return "offline"
    if value == LOCAL:
        return "local"
    if not isinstance(value, dict):
        drafter.report(place, f"{_said(value)} names no model here", _remedy(role, value))
        return None
    before = len(drafter.problems)
    held = [where for where, _ in _secrets(value, ())]
    for where in held:
        drafter.report((*place, *where), "a key must not stand in a file", _KEY_REMEDY)
    plain = {name: inner for name, inner in value.items() if not any(where[0] == name for where in held)}
    values = drafter.part(plain, ModelSettings, place, role)
    settings = drafter.build(ModelSettings, values, place) if len(drafter.problems) == before else None
    if settings is not None:
        _check(settings, drafter, place)
    return settings if len(drafter.problems) == before else None


def _check(settings: ModelSettings, drafter: Drafter, place: Place) -> None:
    if settings.base_url is not None and not _URL.match(settings.base_url):
        hint = f"write http://{settings.base_url}" if "://" not in settings.base_url else ""
        drafter.report((*place, "base_url"), "must begin with http:// or https://", hint)
    if settings.api_key_env is not None and not _VARIABLE.fullmatch(settings.api_key_env):
        drafter.report((*place, "api_key_env"), "must be the name of an environment variable", _KEY_REMEDY)


def _said(value: Any) -> str:
    return "nothing (null)" if value is None else value if isinstance(value, str) else short(value)


def _remedy(role: str, value: Any) -> str:
    if not isinstance(value, str):
        return f'write {role}: {{model: NAME, base_url: "http://127.0.0.1:8080/v1"}}, or {OFFLINE}'
    close = nearest(value, (OFFLINE, LOCAL))
    if close:
        return close
    if value.startswith(SENTENCE_TRANSFORMERS):
        return f"write {role}: {{model: {value}}}"
    return f'write {role}: {{model: {value}, base_url: "http://127.0.0.1:8080/v1"}} with the address of its server'


def _secrets(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Where keys stand that belong into the environment, each with its text."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            where = (*place, str(name))
            if not place and name in _NO_KEYS:
                continue
            if isinstance(inner, str) and inner and _is_key(str(name), inner):
                yield where, inner
            else:
                yield from _secrets(inner, where)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _secrets(inner, (*place, i))
    elif isinstance(value, str) and _KEY_LIKE.search(value):
        yield place, value


def _is_key(name: str, value: str) -> bool:
    return bool(_KEY_LIKE.search(value)) or _KEY_NAMES.fullmatch(name.replace("-", "_")) is not None


def _masked(problem: Problem, secrets: list[str]) -> Problem:
    """The problem without any key: its line is not shown where one stands there."""
    message, hint = problem.message, problem.hint
    for secret in secrets:
        message, hint = message.replace(secret, "***"), hint.replace(secret, "***")
    hides = any(secret in problem.source_line for secret in secrets)
    return replace(problem, message=message, hint=hint, source_line="" if hides else problem.source_line)


def check_prices(models: ModelsShape, budget: BudgetShape, drafter: Drafter, place: Place = ("models",)) -> None:
    """Report models without a price where the budget is in US dollars."""
    if budget.usd is None:
        return
    for key in KEYS:
        settings = getattr(models, key)
        if key in models.model_fields_set and isinstance(settings, ModelSettings) and _may_cost(settings):
            drafter.report((*place, key), "has no price, and the budget has a cap in US dollars", _PRICED)


def _may_cost(settings: ModelSettings) -> bool:
    own = settings.model in (OFFLINE, LOCAL) or settings.model.startswith(SENTENCE_TRANSFORMERS)
    return settings.price is None and not own
