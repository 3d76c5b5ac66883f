"""Command line of ``python -m evolve``: the commands of ``nlhe`` for training and evaluation.

Exit codes: 0 done, 1 the run failed, 2 bad arguments, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

from collections.abc import Sequence

from agents.rooms import find_rooms, installed_rooms
from evolve.commands.report import Reporter
from nlhe_env.system.command_help import run_command

COMMANDS = {
    "train": "evolve.commands.train:Train",
    "presets": "evolve.commands.presets:Presets",
    "serve": "evolve.commands.serve:Serve",
    "study compare": "evolve.commands.compare:Compare",
    "evaluate": "evolve.commands.evaluate:Evaluate",
    "evaluate progress": "evolve.commands.progress:ProgressCommand",
    "evaluate metagame": "evolve.commands.metagame:MetaGameCommand",
    "evaluate behaviour": "evolve.commands.behaviour:Behaviour",
    "evaluate exploitability": "evolve.commands.exploitability:ExploitabilityCommand",
    "evaluate hands": "evolve.commands.hands:EvaluateHands",
    "evaluate table": "evolve.commands.hands:EvaluateTable",
    "evaluate plot": "evolve.commands.plot:Plot",
    "league": "evolve.commands.league:League",
    **{
        name: command
        for room in (*find_rooms("evolve.theses"), *installed_rooms())
        for name, command in room.commands.items()
    },
}


def main(arguments: Sequence[str] | None = None, *, prog: str = "python -m evolve") -> int:
    """Runs the command line and returns the exit code."""
    return run_command(
        COMMANDS,
        arguments,
        prog=prog,
        description="Evolve players of No-Limit Texas Hold'em and compare them.",
        makers=[Reporter],
    )
