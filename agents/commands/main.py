"""Command line of ``python -m agents``, which is also part of ``nlhe``.

Exit codes: 0 done, 1 failed on the way, 2 bad arguments, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlhe_env.system.command_help import run_command

COMMANDS = {
    "play": "agents.commands.play:PlayCommand",
    "players": "agents.commands.players:ListPlayers",
    "acpc dealer": "agents.commands.acpc:AcpcDealer",
    "acpc client": "agents.commands.acpc:AcpcClient",
    "acpc slumbot": "agents.commands.acpc:Slumbot",
    "bench": "agents.commands.bench:Bench",
    "bench compare": "agents.commands.bench:BenchCompare",
    "bench verify": "agents.commands.bench:BenchVerify",
    "solve": "agents.commands.solve:Solve",
    "coach": "agents.commands.coach:Coach",
    "solve blueprint": "agents.commands.train_blueprint:TrainBlueprint",
}


def main(arguments: Sequence[str] | None = None, *, prog: str = "python -m agents") -> int:
    """Run the command line and return the exit code."""
    return run_command(
        COMMANDS,
        arguments,
        prog=prog,
        description="Players of No-Limit Texas Hold'em: play, measure and solve.",
    )
