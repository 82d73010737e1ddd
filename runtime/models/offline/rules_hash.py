"""What results of rules are kept under: a hash of the rules' own source texts."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files


@cache
def rules_hash(package: str, modules: tuple[str, ...], *others: str) -> str:
    """A changed rule makes other results: kept ones of the old rule must not be taken for its own.

    Args:
        package: whole name of the package that the modules are in.
        modules: their names within it, with dots where they are in packages of its own.
        others: fingerprints of what else results depend on.
    """
    digest = blake2b("".join(others).encode(), digest_size=6)
    for module in modules:
        digest.update(files(package).joinpath(f"{module.replace('.', '/')}.py").read_bytes())
    return digest.hexdigest()
