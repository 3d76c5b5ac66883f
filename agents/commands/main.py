"""The command line of ``python -m agents``.

Exit codes: 0 done, 1 failed on the way, 2 bad arguments, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeAlias

from agents.commands.acpc import AcpcClient, AcpcDealer
from agents.commands.common import exit_code
from agents.commands.play import Play
from agents.commands.players import ListPlayers
from agents.commands.solve import Solve
from agents.commands.train_blueprint import TrainBlueprint
from nlhe_env.system.command_help import parse_command

Command: TypeAlias = Play | ListPlayers | Solve | TrainBlueprint | AcpcDealer | AcpcClient


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""

    def run() -> None:
        command: Command = parse_command(
            {
                "play": Play,
                "list": ListPlayers,
                "solve": Solve,
                "train-blueprint": TrainBlueprint,
                "acpc-dealer": AcpcDealer,
                "acpc-client": AcpcClient,
            },
            sys.argv[1:] if arguments is None else list(arguments),
            prog="python -m agents",
            description="Let players of No-Limit Texas Hold'em play.",
        )
        command.run()

    return exit_code(run)
