"""The help of all commands, and what is said of misspelt ones."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest
import tyro

import agents.commands.main
import evolve.commands.main
import nlhe_env.__main__
from nlhe_env import console
from nlhe_env.system.command_help import parse_command, purpose

PROGRAMS = {
    "nlhe_env": nlhe_env.__main__,
    "agents": agents.commands.main,
    "evolve": evolve.commands.main,
}
COMMANDS = [(name, command) for name, program in PROGRAMS.items() for command in program.COMMANDS]


def said(main, capsys, *arguments):
    """What a command line that ends at once prints, and its exit code."""
    try:
        code = main(list(arguments))
    except SystemExit as end:
        code = end.code
    output = capsys.readouterr()
    return output.out + output.err, code


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_help_shows_the_default_of_every_option(program, command, capsys):
    text, code = said(PROGRAMS[program].main, capsys, *command.split(), "--help")
    assert code == 0
    assert f"python -m {program} {command}" in text
    nothing = (f"(default: {value})" for value in ("None", "True", "False", "", "''"))
    assert not [noise for noise in (*nothing, "{None", "`") if noise in text]
    options = re.split(r"\n\W{1,4}(?=--[a-z])", text)[1:]  # not those that a text names
    silent = {option.split()[0] for option in options if "default" not in option.lower()}
    assert not silent


IN_PYTHON = re.compile(
    r"<class|NoneType|\bNone\b|Optional|typing\.|\b(?:INT|STR|FLOAT|BOOL)\b|literal for|to float"
)
"""What Python calls types, and its own words about wrong values."""


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_a_wrong_value_is_refused_in_plain_words(program, command, capsys):
    main = PROGRAMS[program].main
    text, _ = said(main, capsys, *command.split(), "--help")
    assert not IN_PYTHON.findall(text)
    needed = ["x"] * text.count("(required)")
    checked = re.findall(r"^ *(--[a-z-]+) (?:N|NUMBER|CHIPS|\{[^}]*\})(?= )", text, re.MULTILINE)
    if checked:
        words, code = said(main, capsys, *command.split(), *needed, checked[0], "wörd")
        assert code == 2
        assert not IN_PYTHON.findall(words)
        assert re.search(r"got '(?:wörd|x)'", " ".join(words.split()))


@pytest.mark.parametrize("program", PROGRAMS)
def test_all_commands_are_listed(program, capsys):
    text, code = said(PROGRAMS[program].main, capsys, "--help")
    assert code == 0
    for name, command in PROGRAMS[program].COMMANDS.items():
        assert f"  {name} " in text
        assert purpose(command) in text


def test_the_common_command_lists_those_of_all_packages():
    listed = {
        name: (package, text.replace("\n", " "))
        for group in console.GROUPS.values()
        for name, (package, text) in group.items()
    }
    first_words = {(name.split()[0], package) for package, name in COMMANDS}
    assert {(name, package) for name, (package, _) in listed.items()} == first_words
    for name, (package, text) in listed.items():
        commands = PROGRAMS[package].COMMANDS
        views = [view.split()[1] for view in commands if view.startswith(f"{name} ")]
        about, _, shown = text.replace(": dealer", "; also: dealer").partition("; also: ")
        assert shown == ", ".join(views)
        assert name not in commands or purpose(commands[name]).startswith(about)


def test_a_command_with_views_lists_them(capsys):
    text, code = said(PROGRAMS["evolve"].main, capsys, "evaluate", "--help")
    assert code == 0
    assert "evaluate metagame" in text
    text, code = said(PROGRAMS["agents"].main, capsys, "acpc")
    assert code == 2
    assert "acpc dealer" in text


def test_a_comparison_takes_the_configuration_without_repeating_its_help(capsys):
    text, code = said(PROGRAMS["evolve"].main, capsys, "study", "compare", "--help")
    assert code == 0
    assert "--seeds N|FIRST-LAST" in text
    assert "--population" not in text
    text, code = said(PROGRAMS["evolve"].main, capsys, "study", "compare", "--populatoin", "8")
    assert code == 2
    assert "--population N" in text


def test_a_misspelt_option_suggests_those_of_its_command(capsys):
    text, code = said(PROGRAMS["evolve"].main, capsys, "evaluate", "--blcks", "3")
    assert code == 2
    assert "--blocks N" in text
    assert "python -m evolve evaluate --help" in text
    assert "Duplicate blocks of every bound" not in text  # --blocks of another command


@dataclass(frozen=True)
class Base:
    hands: int = 7
    """Hands that
    are played."""


@dataclass(frozen=True)
class Order(Base):
    """Something."""

    what: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[WHAT]")] = "all"
    """Of it."""

    mode: Literal["fast", "slow"] | None = None
    """How."""

    limit: float | None = None
    """How far."""

    sizes: tuple[int, ...] = (1, 2)
    """How large."""

    first: bool | None = None
    """Whether it is the first."""


@dataclass(frozen=True)
class Files:
    """Some files."""

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE ...")]
    """Their paths."""


def refusal(capsys, *arguments):
    """What is said of the arguments, as one line."""
    commands = {"one": Order, "files": Files}
    text, code = said(
        lambda given: parse_command(commands, given, prog="x", description="y"), capsys, *arguments
    )
    assert code == 2
    assert not IN_PYTHON.findall(text)
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--hands", "1.5", "--hands: it must be a whole number; got '1.5'"),
        ("--limit", "far", "--limit: it must be a number; got 'far'"),
        ("--limit", "none", "--limit: it must be a number; got 'none'"),
        ("--mode", "fats", '--mode: it must be one of "fast", "slow"; got \'fats\' (did you mean'),
        ("--sizes", "big", "--sizes: it must be a whole number; got 'big'"),
    ],
)
def test_a_message_says_what_a_value_must_be(option, value, words, capsys):
    assert words in refusal(capsys, "one", option, value)


def test_files_are_asked_for(capsys):
    assert "FILE ...: at least one is needed" in refusal(capsys, "files")
    help_text, _ = said(
        lambda given: parse_command({"files": Files}, given, prog="x", description="y"),
        capsys,
        "files",
        "--help",
    )
    assert "Their paths. (required)" in help_text


def test_values_come_from_arguments_defaults_and_instances():
    def order(*arguments, commands):
        return parse_command(commands, arguments, prog="x", description="y")

    both = {"one": Order, "two": Order(hands=9)}
    assert order("one", commands=both) == Order()
    assert order("two", commands=both) == Order(hands=9)
    given = ("two", "some", "--mode", "slow", "--limit", "2.5")
    assert order(*given, commands=both) == Order(hands=9, what="some", mode="slow", limit=2.5)
    given = ("one", "--no-first", "--sizes", "3", "4", "5")
    assert order(*given, commands=both) == Order(first=False, sizes=(3, 4, 5))
    assert order("one", "--sizes", commands=both) == Order(sizes=())


def test_a_misspelt_command_suggests_the_closest_one(capsys):
    commands = {"evaluate": Order, "summary": Order}
    with pytest.raises(SystemExit) as ended:
        parse_command(commands, ["sumary"], prog="x", description="y")
    assert ended.value.code == 2
    assert "got 'sumary' (did you mean \"summary\"?)" in capsys.readouterr().err


def test_help_describes_an_option(capsys):
    text, _ = said(
        lambda arguments: parse_command({"one": Order}, arguments, prog="x", description="y"),
        capsys,
        "one",
        "--help",
    )
    assert "--hands N" in text
    assert "Hands that are played. (default: 7)" in text
    assert "--mode {fast,slow}" in text
    assert "--limit NUMBER" in text
    assert "x one [-h]" in text
