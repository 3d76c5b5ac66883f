"""Command lines from dataclasses, one for each command.

Every option shows its default, from its help or its value ("none" for None, on or off for a
switch). Line breaks of docstrings are removed. For a misspelled option only similar ones of the
same command are listed. Help and messages name no types of Python: a whole number is asked for, and
None is an option that is not given.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pkgutil import resolve_name
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

import docstring_parser
import tyro
from tyro.constructors import (
    ConstructorRegistry,
    PrimitiveConstructorSpec,
    PrimitiveTypeInfo,
    StructConstructorSpec,
    StructFieldSpec,
    StructTypeInfo,
)

from nlhe_env.arguments import one_of, printable
from nlhe_env.extras import MissingExtraError
from nlhe_env.system.command_interrupts import INTERRUPTED
from nlhe_env.system.command_line import in_words, output_may_end
from nlhe_env.system.part_names import PART_HELP, PART_OPTION, allow_in_files

_HELP = ConstructorRegistry()
_WORDS = {"None": "none", "": "none", "''": "none", "True": "on", "False": "off"}
"""Texts of defaults whose value differs from the user's notation."""

REPLACED_OPTIONS: dict[str, dict[str, str]] = {
    "acpc dealer": {"--players": "the number of players, of which several may be client"},
    "acpc slumbot": {"--record": "--out FILE.phhs"},
    "bench compare": {"--out": "the printed text: > FILE.md"},
    "evaluate behaviour": {"--opponents": "--players"},
    "evaluate exploitability": {
        "--exact": "--by exact",
        "--flops": "--by exact:flops=N",
        "--hands": "--by local:hands=N",
        "--menu": "--by local:menu=MENU",
        "--train-hands": "--by local evolved:hands=N, or --by local without training",
        "--waits": "--by local:menu=MENU,waits=STREET+STREET",
    },
    "evaluate hands": {"--value": "--variance-reduction aivat:value=FILE"},
    "hands": {"--to": "--out FILE"},
    "league": {
        "--until-resolved": "--until-sure",
        "--value": "--variance-reduction aivat:value=FILE",
    },
    "solve": {
        "--csv": "--out FILE.csv",
        "--picture": "--out FILE.png",
        "--arrays": "--out FILE.npz, for agents.solvers.load_solution",
        "--raises": 'the second part of --bets: "50%, pot; 2.5x"',
        "--big-blind": "--limit CHIPS, in fixed-limit",
        "--betting": "--limit CHIPS, for fixed-limit",
    },
    "study": {"--first-seed": "--seeds FIRST-LAST"},
    "study compare": {
        "--first-seed": "--seeds FIRST-LAST",
        "--group": "--variants GROUP",
        "--models": "--variants MODEL ...",
        "--optimizers": "--variants OPTIMIZER ...",
        "--show": "--only report",
    },
    "train": {"--bound-every": "--track bounds:N", "--log-parents": "--track parents"},
}
"""Options of commands that have another form now, and the form."""


def parse_command(
    commands: Mapping[str, Any], arguments: Sequence[str], *, prog: str, description: str
) -> Any:
    """Parse the command and its options; invalid ones end the program with code 2.

    Args:
        commands: Dataclass of each command by name, or the text ``module:Class``, which is imported
            when the command is called, or an instance with the defaults. A class with
            ``starting_from(arguments)`` creates the defaults from the arguments. The help of a
            class with the attribute ``shown_in_help``, another class, shows only the latter's
            options. A name of two words, such as ``bench compare``, is a subcommand of the command,
            or of the group, named by the first word.
        arguments: Arguments after ``prog``.
        prog: Name of the program.
        description: Purpose of the program.
    """
    arguments = _without_parts(arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_overview(commands, prog, description), file=sys.stdout if arguments else sys.stderr)
        raise SystemExit(0 if arguments else 2)
    called, rest = arguments[0], arguments[1:]
    if " ".join(arguments[:2]) in commands:
        called, rest = " ".join(arguments[:2]), arguments[2:]
    views = [name for name in commands if name.startswith(f"{called} ")]
    if called not in commands and views:
        _explain_group(called, views, commands, rest, prog)
    _check_command(called, commands)
    _check_options(called, rest)
    command = _loaded(commands[called])
    if isinstance(command, type) and hasattr(command, "starting_from"):
        command = command.starting_from(arguments)
    kind, default = _kind_and_default(command)
    if hasattr(kind, "shown_in_help") and {"-h", "--help"} & set(rest):
        kind, default = kind.shown_in_help, tyro.MISSING_NONPROP
    shown = _text(kind)
    if views:
        shown += f"\n\nMore commands, each with its own --help:\n{_table(views, commands)}"
    return tyro.cli(
        kind, default=default, prog=f"{prog} {called}", description=shown, args=rest, registry=_HELP
    )


def run_command(
    commands: Mapping[str, Any],
    arguments: Sequence[str] | None,
    *,
    prog: str,
    description: str,
    makers: Sequence[Callable[[], Any]] = (),
) -> int:
    """Run a command and return its exit code; an error is printed in one line.

    Exit codes: 0 done, 1 failed on the way, 2 bad arguments, 130 interrupted.

    Args:
        commands: See ``parse_command``.
        arguments: Arguments after ``prog``; default: those of the program.
        prog: Name of the program.
        description: Purpose of the program.
        makers: Functions that make the arguments of the command's method ``run``.
    """
    typed = sys.argv[1:] if arguments is None else list(arguments)
    try:
        with output_may_end():
            command = parse_command(commands, typed, prog=prog, description=description)
            command.run(*(make() for make in makers))
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:  # of the parser, after a message or the help, or of a player's file
        if not isinstance(end.code, str):
            return end.code or 0
        code, words = 1, end.code
    except (ValueError, MissingExtraError) as error:
        code, words = 2, str(error)
    except OSError as error:
        code, words = 1, in_words(error)
    except MemoryError as error:
        code, words = 1, f"there is not enough memory for this ({error})"
    except RuntimeError as error:
        code, words = 1, str(error)
    else:
        return 0
    words = printable(words, keep="\n")
    print(f"error: {words}", file=sys.stderr)
    return code


def _without_parts(arguments: Sequence[str]) -> list[str]:
    """Arguments without ``--part``; files may name what the user has typed, see ``part_names``."""
    for argument in arguments:
        allow_in_files(argument, argument.partition("=")[2])
    left, waiting = [], iter(arguments)
    for argument in waiting:
        if argument == PART_OPTION:
            next(waiting, None)
        elif not argument.startswith(f"{PART_OPTION}="):
            left.append(argument)
    return left


def _overview(commands: Mapping[str, Any], prog: str, description: str) -> str:
    """Help of a program: its commands with their purposes."""
    return (
        f"usage: {prog} COMMAND [OPTIONS]\n\n{description}\n\n{_table(commands, commands)}\n\n"
        f"{prog} COMMAND --help shows the options of a command.\n{PART_HELP}"
    )


def _explain_group(
    group: str, views: Sequence[str], commands: Mapping[str, Any], rest: Sequence[str], prog: str
) -> NoReturn:
    """Prints the commands of a group, which is not a command itself."""
    if rest and not rest[0].startswith("-"):
        _check_command(" ".join((group, rest[0])), views)
    asked = bool(rest)
    text = f"usage: {prog} {group} COMMAND [OPTIONS]\n\n{_table(views, commands)}"
    print(text, file=sys.stdout if asked else sys.stderr)
    raise SystemExit(0 if asked else 2)


def _table(names: Iterable[str], commands: Mapping[str, Any]) -> str:
    """Lines with the names and purposes of commands."""
    names = list(names)
    width = max(map(len, names))
    return "\n".join(f"  {name:{width}}  {purpose(commands[name])}" for name in names)


def purpose(command: Any) -> str:
    """First sentence of a command's docstring, without the full stop."""
    loaded = _loaded(command)
    kind = loaded if isinstance(loaded, type) else type(loaded)
    return _text(kind).partition("\n")[0].removesuffix(".")


def _text(kind: type) -> str:
    """Docstring of a command, without its attributes."""
    kind = getattr(kind, "shown_in_help", kind)
    return inspect.cleandoc(kind.__doc__ or "")


def _loaded(command: Any) -> Any:
    return resolve_name(command) if isinstance(command, str) else command


def _check_command(called: str, commands: Iterable[str]) -> None:
    try:
        one_of("a command", called, commands)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def _check_options(called: str, rest: Iterable[str]) -> None:
    """Ends the program for an option that has another form now."""
    replaced = REPLACED_OPTIONS.get(called, {})
    for option in (argument.partition("=")[0] for argument in rest):
        if option in replaced:
            print(f"error: {option} is now {replaced[option]}", file=sys.stderr)
            raise SystemExit(2)


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
        return None  # generic, such as tyro's wrappers of ours
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
    """Option of a command from an attribute of its dataclass.

    Args:
        field: The attribute.
        hint: Its type.
        instance: Instance whose attribute is the default, if it has one.
        help_text: Help of the option.
    """
    default = getattr(instance, field.name, _default(field))
    given = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    kind = get_args(hint)[0] if given else hint
    if not dataclasses.is_dataclass(kind):
        is_positional = tyro.conf.Positional in given
        shown = tyro.conf.arg(
            help_behavior_hint="(required)"
            if default is tyro.MISSING
            else _shown_default(_given_help(given) or help_text or "", is_positional=is_positional)
        )
        # A switch that may be left open is a pair of flags too.
        hint = Annotated[(kind, shown, tyro.conf.DisallowNone, *given)]
    return StructFieldSpec(field.name, hint, default, help_text)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return tyro.MISSING


def _given_help(given: tuple[Any, ...]) -> str:
    """Help from the type of an option."""
    return next((one.help for one in given if getattr(one, "help", None)), "")


def _shown_default(help_text: str, *, is_positional: bool) -> Callable[[str], str]:
    """Text "(default: ...)" for a value, unless the option's help includes the default.

    A positional that may be left out stands in brackets: that there is no value then says nothing.
    """

    def shown(label: str) -> str:
        value = _WORDS.get(label, label)
        is_said = "default" in help_text.lower() or (is_positional and value == "none")
        return "" if is_said else f"(default: {value})"

    return shown


def _value(metavar: str, read: Callable[[str], Any]) -> PrimitiveConstructorSpec[Any]:
    """An option of one value.

    Args:
        metavar: Placeholder of the value in the help.
        read: Value of a text; raises a ``ValueError`` that says what is allowed.
    """
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda texts: read(texts[0]),
        is_instance=lambda value: True,
        str_from_instance=lambda value: [str(value)],
    )


def _read_number(text: str, kind: type[Any], expected: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"it must be {expected}; got {text!r}") from None


@_HELP.primitive_rule
def _basic_rule(info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Any] | None:
    """Numbers, texts and choices."""
    kind: Any = info.type
    if kind is str:
        return _value("TEXT", str)
    if kind is int:
        return _value("N", lambda text: _read_number(text, int, "a whole number"))
    if kind is float:
        return _value("NUMBER", lambda text: _read_number(text, float, "a number"))
    origin: Any = info.type_origin
    if origin is Literal:
        choices = get_args(kind)
        return _value(f"{{{','.join(choices)}}}", lambda text: one_of("it", text, choices))
    return None


@_HELP.primitive_rule
def _several_rule(info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Any] | None:
    """Several values of one type; at least one where they are not an option."""
    kinds = get_args(info.type)
    if info.type_origin is not tuple or kinds[1:] != (Ellipsis,):
        return None
    one = _spec(kinds[0], info)

    def read(texts: list[str]) -> tuple[Any, ...]:
        if not texts and tyro.conf.Positional in info.markers:
            raise ValueError("at least one is needed")
        return tuple(one.instance_from_str([text]) for text in texts)

    return dataclasses.replace(
        one,
        nargs="*",
        metavar=f"{one.metavar} ...",
        instance_from_str=read,
        str_from_instance=lambda values: [str(value) for value in values],
    )


@_HELP.primitive_rule
def _optional_rule(info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Any] | None:
    """``X | None`` is read as X."""
    kinds = [kind for kind in get_args(info.type) if kind is not types.NoneType]
    if info.type_origin not in (types.UnionType, Union) or len(kinds) != 1:
        return None
    one = _spec(kinds[0], info)
    return dataclasses.replace(
        one,
        str_from_instance=lambda value: ["none"] if value is None else one.str_from_instance(value),
    )


def _spec(kind: Any, info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Any]:
    """How a type is read that is part of another one."""
    spec = ConstructorRegistry.get_primitive_spec(PrimitiveTypeInfo.make(kind, info.markers))
    assert isinstance(spec, PrimitiveConstructorSpec)
    return spec


def given_options(kind: type, *, leave_out: Iterable[str] = (), **helps: str) -> type:
    """Dataclass with the fields of another one as options, which are None unless they are given.

    Args:
        kind: The other dataclass.
        leave_out: Fields that are no options.
        **helps: Help of options, in place of the docstrings of their attributes.
    """
    hints, texts = get_type_hints(kind), _attribute_help(kind)
    options: list[Any] = []
    for one in dataclasses.fields(kind):
        if one.name not in leave_out:
            usual = _WORDS.get(str(one.default), one.default)
            usual_help = f"{texts.get(one.name, '').removesuffix('.')}; default: {usual}."
            shown = tyro.conf.arg(help=helps.get(one.name, usual_help))
            hint: Any = Annotated[hints[one.name] | None, shown]
            options.append((one.name, hint, dataclasses.field(default=None)))
    return dataclasses.make_dataclass(f"Given{kind.__name__}", options, frozen=True, kw_only=True)


@cache
def _attribute_help(kind: type) -> dict[str, str]:
    """Attribute docstrings of a class and its bases, each as one line."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if dataclasses.is_dataclass(each):
            for parameter in docstring_parser.parse_from_object(each).params:
                if parameter.description:
                    found[parameter.arg_name] = " ".join(parameter.description.split())
    return found
