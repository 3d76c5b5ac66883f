"""The help of all commands, and what is said of misspelt ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
import tyro

import agents.commands.main
import evolve.commands.main
import nlhe_env.__main__
from nlhe_env.system.command_help import parse_command

PROGRAMS = {
    "nlhe_env": (nlhe_env.__main__.main, "build-tables equity income-rates hands"),
    "agents": (
        agents.commands.main.main,
        "play list solve train-blueprint acpc-dealer acpc-client",
    ),
    "evolve": (
        evolve.commands.main.main,
        "train compare presets evaluate exploitability describe league "
        "variance-reduction progress metagame summary study symbiosis plot watch",
    ),
}
COMMANDS = [(name, command) for name, (_, all_) in PROGRAMS.items() for command in all_.split()]


def said(main, capsys, *arguments):
    """What a command line that ends at once prints, and its exit code."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    output = capsys.readouterr()
    return output.out + output.err, end.value.code


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_help_tells_no_default_that_says_nothing(program, command, capsys):
    text, code = said(PROGRAMS[program][0], capsys, command, "--help")
    assert code == 0
    assert f"python -m {program} {command}" in text
    nothing = (f"(default: {value})" for value in ("None", "False", "", "''"))
    assert not [noise for noise in (*nothing, "{None", "`") if noise in text]


@pytest.mark.parametrize("program", PROGRAMS)
def test_all_commands_are_listed(program, capsys):
    main, commands = PROGRAMS[program]
    text, _ = said(main, capsys, "--help")
    assert "{" + commands.replace(" ", ",") + "}" in text


def test_a_misspelt_option_suggests_those_of_its_command(capsys):
    text, code = said(PROGRAMS["evolve"][0], capsys, "evaluate", "--blcks", "3")
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


def test_a_misspelt_command_is_answered_by_the_one_that_looks_most_like_it(capsys):
    commands = {"evaluate": Order, "summary": Order}
    with pytest.raises(SystemExit) as ended:
        parse_command(commands, ["sumary"], prog="x", description="y")
    assert ended.value.code == 2
    assert "got 'sumary' (did you mean \"summary\"?)" in capsys.readouterr().err


def test_help_of_an_option(capsys):
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
