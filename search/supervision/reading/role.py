"""What a reader and a reviewer by rules share: how alike words mean, and what their findings are kept under."""

from __future__ import annotations

from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.models.offline.rules_hash import rules_hash
from designsearch.search.supervision.reading.soft_words import SoftWords

_HERE = __name__.rpartition(".reading.")[0]


class OfflineRole:
    """A role that rules play.

    Attributes:
        rules: the modules that its findings depend on, beside the offline answerer.

    Args:
        words: knows how alike words mean and, where made from a history's texts, how rare they are in it.
    """

    rules: tuple[str, ...]

    def __init__(self, words: SoftWords | None = None) -> None:
        self._soft = words or SoftWords()

    @property
    def fingerprint(self) -> str:
        """Hash of the rules' own source text: with a changed rule, here or in the answerer, it is another role."""
        return f"offline-{rules_hash(_HERE, self.rules, OfflineAnswerer().fingerprint)}"
