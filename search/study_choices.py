"""The proposers and acceptance rules that a study can name, with their options."""

from __future__ import annotations

from typing import Literal

from designsearch.dsl.operators import Params, param

DEFAULT_ALPHA = 0.1


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


class MixedOptions(Params):
    """``mixed``: a bandit over the others, by accepted gain a trial."""

    of: tuple[Literal["rules", "sampler", "fit"], ...] = param(
        ("rules", "fit", "sampler"), about="The proposers it chooses from.", min_length=1
    )


PROPOSERS: dict[str, type[Params]] = {
    "rules": RulesOptions,
    "sampler": SamplerOptions,
    "fit": FitOptions,
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
