"""Command lines from dataclasses, one for each command.

From the help of tyro this leaves out defaults without information ("None", an empty text or list, a
switch that is off) and the line breaks of docstrings. For a misspelled option only the similar ones
of the same command are listed.
"""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import docstring_parser
import tyro
from tyro.constructors import (
    ConstructorRegistry,
    StructConstructorSpec,
    StructFieldSpec,
    StructTypeInfo,
)

from nlhe_env.arguments import one_of

_HELP = ConstructorRegistry()
_UNINFORMATIVE = ("None", "False", "''", "")


def parse_command(
    commands: Mapping[str, Any], arguments: Sequence[str], *, prog: str, description: str
) -> Any:
    """The command that the arguments call, with its options; bad ones end the program with code 2.

    Args:
        commands: Dataclass of each command by name, or one of its instances with the defaults.
        arguments: Arguments after ``prog``.
        prog: Name of the program.
        description: Its purpose.
    """
    called = arguments[0] if arguments else ""
    if called and not called.startswith("-"):
        _check_command(called, commands)
        kind, default = _kind_and_default(commands[called])
        return tyro.cli(
            kind, default=default, prog=f"{prog} {called}", args=arguments[1:], registry=_HELP
        )
    choices: list[Any] = []
    for name, command in commands.items():
        kind, default = _kind_and_default(command)
        choices.append(Annotated[kind, tyro.conf.subcommand(name, default=default)])
    return tyro.cli(
        reduce(or_, choices),
        prog=prog,
        description=description,
        args=arguments,
        registry=_HELP,
    )


def _check_command(called: str, commands: Mapping[str, Any]) -> None:
    try:
        one_of("a command", called, commands)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def _kind_and_default(command: Any) -> tuple[type, Any]:
    if isinstance(command, type):
        return command, tyro.MISSING_NONPROP
    return type(command), command


@_HELP.struct_rule
def _dataclass_rule(info: StructTypeInfo) -> StructConstructorSpec | None:
    """The options of a dataclass, with help from the docstrings of its attributes."""
    kind = info.type
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        return None
    if hasattr(kind, "__parameters__"):
        return None  # generic, as those that tyro wraps ours in
    hints = get_type_hints(kind, include_extras=True)
    return StructConstructorSpec(
        instantiate=kind,
        fields=tuple(
            _option(field, hints[field.name], info.default, _attribute_help(kind).get(field.name))
            for field in dataclasses.fields(kind)
            if field.init
        ),
    )


def _option(
    field: dataclasses.Field[Any], hint: Any, instance: Any, help_text: str | None
) -> StructFieldSpec:
    """An option of a command, made of an attribute of its dataclass.

    Args:
        field: The attribute.
        hint: Its type.
        instance: Instance whose attribute is the default, if it has one.
        help_text: Its help.
    """
    default = getattr(instance, field.name, _default(field))
    given = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    kind = get_args(hint)[0] if given else hint
    if not dataclasses.is_dataclass(kind):
        shown = tyro.conf.arg(
            metavar=_metavar(kind, given, default), help_behavior_hint=_shown_default
        )
        hint = Annotated[(kind, shown, *given)]
    return StructFieldSpec(field.name, hint, default, help_text)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return tyro.MISSING


def _metavar(kind: Any, given: tuple[Any, ...], default: Any) -> str | None:
    """Placeholder of a value where it is not the name of its type; else None."""
    if get_origin(kind) not in (types.UnionType, Union) or type(None) not in get_args(kind):
        return None
    kinds = [each for each in get_args(kind) if each is not type(None)]
    if len(kinds) > 1 or get_origin(kinds[0]) not in (None, Literal):
        return None
    if get_origin(kinds[0]) is Literal:
        return "{" + ",".join(map(str, get_args(kinds[0]))) + "}"
    return str(kinds[0].__name__.upper())


def _shown_default(label: str) -> str:
    return "" if label in _UNINFORMATIVE else f"(default: {label})"


@cache
def _attribute_help(kind: type) -> dict[str, str]:
    """The docstrings of the attributes of a class and its bases, each in one line."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if dataclasses.is_dataclass(each):
            for parameter in docstring_parser.parse_from_object(each).params:
                if parameter.description:
                    found[parameter.arg_name] = " ".join(parameter.description.split())
    return found
