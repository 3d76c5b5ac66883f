"""The command line of ``python -m evolve``.

Exit codes: 0 done, 1 the run failed, 2 bad arguments, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeAlias

from agents.commands.common import exit_code, usage_errors
from evolve.commands.compare import Compare, given_values
from evolve.commands.dashboard import Watch
from evolve.commands.describe import Describe
from evolve.commands.evaluate import Evaluate
from evolve.commands.exploitability import ExploitabilityCommand
from evolve.commands.league import League
from evolve.commands.metagame import MetaGameCommand
from evolve.commands.plot import Plot
from evolve.commands.presets import Presets
from evolve.commands.progress import ProgressCommand
from evolve.commands.report import Reporter
from evolve.commands.starting_config import starting_config
from evolve.commands.study import StudyCommand
from evolve.commands.summary import Summary
from evolve.commands.symbiosis import SymbiosisCommand
from evolve.commands.train import Train
from evolve.commands.variance_reduction import VarianceReduction
from nlhe_env.system.command_help import parse_command

Command: TypeAlias = (
    Train
    | Compare
    | Presets
    | Evaluate
    | ExploitabilityCommand
    | Describe
    | League
    | VarianceReduction
    | ProgressCommand
    | MetaGameCommand
    | Summary
    | StudyCommand
    | SymbiosisCommand
    | Plot
    | Watch
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""

    def run() -> None:
        command = _parse(sys.argv[1:] if arguments is None else list(arguments))
        command.run(Reporter())

    return exit_code(run)


def _parse(arguments: list[str]) -> Command:
    """The command with its flags; bad ones end the program with code 2."""
    with usage_errors():
        config = starting_config(arguments)
        command: Command = parse_command(
            {
                "train": Train(settings=config),
                "compare": Compare(settings=config, given=given_values(arguments, config)),
                "presets": Presets,
                "evaluate": Evaluate,
                "exploitability": ExploitabilityCommand,
                "describe": Describe,
                "league": League,
                "variance-reduction": VarianceReduction,
                "progress": ProgressCommand,
                "metagame": MetaGameCommand,
                "summary": Summary,
                "study": StudyCommand,
                "symbiosis": SymbiosisCommand,
                "plot": Plot,
                "watch": Watch,
            },
            arguments,
            prog="python -m evolve",
            description="Evolve players of No-Limit Texas Hold'em and compare them.",
        )
    return command
