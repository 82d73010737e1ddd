"""Options of a command that are the fields of a model of settings, which declares them once.

They are read off the generated schema of studies, as asking for help must not load what the model itself needs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from designsearch.cli.options import words
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import UserError

if TYPE_CHECKING:
    from designsearch.dsl.operators import Params

T = TypeVar("T", bound="Params")


def add_settings(parser: Parser, shape: str, title: str) -> None:
    """An option a field: ``--name VALUE``, and ``--no-name`` for a switch that is on.

    Args:
        parser: gets them.
        shape: name of the model in the schema of studies.
        title: of the group that they stand in.
    """
    group = parser.add_argument_group(title)
    for field, about in _fields(shape).items():
        name, said = field.replace("_", "-"), _lower(about["description"])
        default = f"{said} (default: {about['default']})"
        if about["default"] is True:
            group.add_argument(f"--no-{name}", dest=field, action="store_const", const=False, help=f"leave out {said}")
        elif "anyOf" in about:  # a list, or nothing
            group.add_argument(f"--{name}", type=words, action="extend", metavar="NAME,...", help=said)
        elif "enum" in about:
            group.add_argument(f"--{name}", metavar="|".join(about["enum"]), help=default)
        else:
            group.add_argument(f"--{name}", metavar="N", help=default)


def settings_of(args: Namespace, model: type[T]) -> T:
    """The settings that the options name.

    Raises:
        UserError: an option has a value that it cannot have.
    """
    from pydantic import ValidationError

    from designsearch.dsl.operator_facts import facts_of

    facts = {fact.name: fact for fact in facts_of(model)}
    given = {name: value for name in facts if (value := getattr(args, name)) is not None}
    try:
        return model.model_validate({name: _read(facts[name].value, value) for name, value in given.items()})
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        shown = ",".join(given[name]) if isinstance(given[name], list) else given[name]
        takes = facts[name].type.replace(" | ", ", ")
        raise UserError(f"--{name.replace('_', '-')} {shown}: cannot be; it takes {takes}") from None


def _fields(shape: str) -> dict[str, Any]:
    """The fields of a model as the schema of studies has them."""
    import designsearch.dsl

    text = (Path(designsearch.dsl.__file__).parent / "study.schema.json").read_text(encoding="utf-8")
    fields: dict[str, Any] = json.loads(text)["$defs"].get(shape, {}).get("properties", {})
    return fields


def _read(default: Any, value: Any) -> Any:
    """A word of the command line as the field's type has it; what is none is left for the model to refuse."""
    if isinstance(default, bool) or not isinstance(default, int | float):
        return value
    for read in (int, float):
        try:
            return read(value)
        except ValueError:
            continue
    return value


def _lower(about: str) -> str:
    """What a field is about, as the help of an option has it."""
    about = about.removesuffix(".")
    return about[:1].lower() + about[1:]
