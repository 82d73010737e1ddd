"""What has changed between two accounts of what results depend on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST = 8
"""Changed operators that a refusal names."""


def differences(known: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What has changed, one line each."""
    lines = []
    for key in dict.fromkeys([*known, *now]):
        if key in ("fingerprints", "search_space", "storage", "sampler"):
            continue
        if known.get(key) != now.get(key):
            lines.append(f"{key}: was {_shown(known.get(key))}, is {_shown(now.get(key))}")
    old, new = known.get("fingerprints", {}), now.get("fingerprints", {})
    lines += [f"{k}: has changed ({old.get(k)} -> {new.get(k)})" for k in {**old, **new} if old.get(k) != new.get(k)]
    return lines + _space_differences(known.get("search_space", {}), now.get("search_space", {}))


def _space_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    changed = [name for name in sorted({**old, **new}) if old.get(name) != new.get(name)]
    lines = []
    for name in changed[:_MOST]:
        if name not in old or name not in new:
            lines.append(f"search space: operator {name} is {'new' if name in new else 'gone'}")
            continue
        for parameter in sorted({**old[name], **new[name]}):
            was, now = old[name].get(parameter), new[name].get(parameter)
            if was != now:
                lines.append(f"search space: {name}.{parameter}: was {_shown(was)}, is {_shown(now)}")
    if len(changed) > _MOST:
        lines.append(f"search space: and {len(changed) - _MOST} operators more")
    return lines


def _shown(value: Any) -> str:
    return "not there" if value is None else str(value)
