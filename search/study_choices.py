"""The proposers and acceptance rules that a study can name, with their options."""

from __future__ import annotations

from typing import Literal

from designsearch.dsl.operators import Params, param

DEFAULT_ALPHA = 0.1

PER_CATEGORY = 10
"""Failures of one category that a proposer is shown at most."""


class RulesOptions(Params):
    """``rules``: a table from diagnosed failures to edits; no model."""


class SamplerOptions(Params):
    """``sampler``: Optuna over parameters, and adding, removing and swapping stages."""

    sampler: Literal["tpe", "random"] = param("tpe", about="Optuna's sampler for the parameters.")
    startup: int = param(8, about="Scored designs before tpe takes over from chance.", ge=0)
    structure: float = param(0.5, about="Share of proposals that change the structure.", ge=0, le=1)
    most: int = param(3, about="The most parameters that one proposal changes.", ge=1)


class FitOptions(Params):
    """``fit``: weights of named features, learnt from the training questions' evidence."""


class LlmOptions(Params):
    """``llm``: a language model edits the design; ``models.proposer`` names it."""

    failures: int = param(PER_CATEGORY, about="Failures of a category that it is shown at most.", ge=0, le=PER_CATEGORY)
    attempts: int = param(8, about="Earlier proposals that it is shown, the latest ones.", ge=0, le=100)
    repairs: int = param(2, about="Times that it may correct a proposal that is not valid.", ge=0, le=10)
    tokens: int = param(16_000, about="The longest request; failures are left out of one that is longer.", ge=500)


class MixedOptions(Params):
    """``mixed``: a bandit over the others, by accepted gain per unit of work."""

    of: tuple[Literal["rules", "sampler", "fit", "llm"], ...] | None = param(
        None,
        about="The proposers it chooses from. Where none are named: rules, fit and sampler, and at the end llm if "
        "models.proposer names a model.",
        min_length=1,
    )

    def chosen(self, *, llm: bool) -> tuple[str, ...]:
        """The proposers, each once, in the order in which they are tried first.

        Args:
            llm: whether the study names a model for the role proposer.
        """
        named = self.of if self.of is not None else ("rules", "fit", "sampler", *(("llm",) if llm else ()))
        return tuple(dict.fromkeys(named))


PROPOSERS: dict[str, type[Params]] = {
    "rules": RulesOptions,
    "sampler": SamplerOptions,
    "fit": FitOptions,
    "llm": LlmOptions,
    "mixed": MixedOptions,
}
"""Options by ``proposer.op``."""


class StrictOptions(Params):
    """``strict``: any higher validation score, as in the papers."""


class PairedOptions(Params):
    """``paired``: a higher score that chance does not explain."""

    alpha: float = param(DEFAULT_ALPHA, about="The error allowed in each comparison.", gt=0, lt=1)


class ConfirmOptions(Params):
    """``confirm``: what passes ``paired`` must win on a reserved slice as well."""

    alpha: float = param(DEFAULT_ALPHA, about="The error allowed in the whole study.", gt=0, lt=1)


ACCEPTANCE: dict[str, type[Params]] = {
    "strict": StrictOptions,
    "paired": PairedOptions,
    "confirm": ConfirmOptions,
}
"""Options by ``accept.op``."""
