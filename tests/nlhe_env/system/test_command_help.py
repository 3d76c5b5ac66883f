"""The help of all commands, and what is said of misspelt ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
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
    assert "--population INT" in text


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


def test_values_come_from_arguments_defaults_and_instances():
    def order(*arguments, commands):
        return parse_command(commands, arguments, prog="x", description="y")

    both = {"one": Order, "two": Order(hands=9)}
    assert order("one", commands=both) == Order()
    assert order("two", commands=both) == Order(hands=9)
    given = ("two", "some", "--mode", "slow", "--limit", "2.5")
    assert order(*given, commands=both) == Order(hands=9, what="some", mode="slow", limit=2.5)


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
    assert "--hands INT" in text
    assert "Hands that are played. (default: 7)" in text
    assert "--mode {fast,slow}" in text
    assert "--limit FLOAT" in text
    assert "x one [-h]" in text
