"""The command line of ``python -m agents``.

Exit codes: 0 done, 1 failed on the way, 2 bad arguments, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import tyro

from agents.commands.acpc import AcpcClient, AcpcDealer
from agents.commands.common import exit_code
from agents.commands.play import Play
from agents.commands.players import ListPlayers
from agents.commands.solve import Solve
from agents.commands.train_blueprint import TrainBlueprint

Command: TypeAlias = Play | ListPlayers | Solve | TrainBlueprint | AcpcDealer | AcpcClient


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    subcommand = tyro.conf.subcommand
    command: Command = tyro.cli(
        Annotated[Play, subcommand("play")]
        | Annotated[ListPlayers, subcommand("list")]
        | Annotated[Solve, subcommand("solve")]
        | Annotated[TrainBlueprint, subcommand("train-blueprint")]
        | Annotated[AcpcDealer, subcommand("acpc-dealer")]
        | Annotated[AcpcClient, subcommand("acpc-client")],
        prog="python -m agents",
        description="Let players of No-Limit Texas Hold'em play.",
        args=sys.argv[1:] if arguments is None else list(arguments),
    )
    return exit_code(command.run)
