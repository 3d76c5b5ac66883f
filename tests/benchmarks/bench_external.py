"""Decisions per second of bots in separate programs, at a table with compiled players.

Cash games of six, one seat for the bot and five for compiled players. Wall time, as the bots have
processes of their own, beside the CPU time that the host itself needs; medians. A decision is one
of the seat measured; the time of all others at the table is in it. ``exchange`` is the wall time
from the question to the answer alone. ``bot.c`` needs a C compiler.

    python tests/benchmarks/bench_external.py [--hands 2000] [--rounds 5]
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from harness import in_turn, options

import agents
import nlhe_env

BOTS = Path(__file__).parents[2] / "examples" / "bots"
OPPONENTS = ("caller", "random", "old-best", "call-or-raise", "old-start")


class InProcess(agents.ChipPlayer):
    """Checks and calls, with the same events as a program."""

    def __init__(self) -> None:
        self.decisions = 0

    def on_hand_start(self, info: dict[str, Any]) -> None:
        pass

    def decide(self, turn: dict[str, Any]) -> int:
        self.decisions += 1
        return agents.CHECK_OR_CALL


class Plain:
    """Checks and calls, with the result of ``env.last()``."""

    def __init__(self) -> None:
        self.decisions = 0

    def act(self, observation: Any, info: Any) -> int:
        self.decisions += 1
        return 1


@contextmanager
def contenders() -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = {
            "object with act()": Plain(),
            "ChipPlayer object": InProcess(),
            "bot.py": agents.ProcessPlayer([sys.executable, str(BOTS / "bot.py")]),
        }
        if shutil.which("cc"):
            program = str(Path(folder, "bot"))
            subprocess.run(["cc", "-O2", "-o", program, str(BOTS / "bot.c")], check=True)
            found["bot.c"] = agents.ProcessPlayer([program])
        yield found
        for player in found.values():
            if isinstance(player, agents.ProcessPlayer):
                player.close()


def measure(player: Any, hands: int, seeds: Iterator[int]) -> tuple[float, float, float]:
    """Decisions per wall second, host CPU microseconds a decision, microseconds an exchange."""
    seed = next(seeds)
    env = nlhe_env.env(6, mode="cash", num_hands=hands, blinds=(10, 20), actions="chips")
    seated = [player, *map(agents.make, OPPONENTS)]
    counter = player.report if isinstance(player, agents.ProcessPlayer) else player
    decisions, waited = counter.decisions, getattr(counter, "seconds", 0.0)
    wall, cpu = time.perf_counter(), time.process_time()
    agents.play_episode(env, dict(zip(env.possible_agents, seated, strict=True)), seed=seed)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    decisions = counter.decisions - decisions
    waited = getattr(counter, "seconds", 0.0) - waited
    return decisions / wall, 1e6 * cpu / decisions, 1e6 * waited / decisions


def main() -> None:
    given = options(__doc__, hands=2000, rounds=5)
    with contenders() as players:
        measures = {
            name: partial(measure, player, given.hands, count()) for name, player in players.items()
        }
        results = in_turn(measures, given.rounds)
        print(f"{'':<20} {'decisions/s':>12} {'host CPU us':>12} {'exchange us':>12}")
        for name, figures in results.items():
            rate, cpu, exchange = (
                statistics.median(column) for column in zip(*figures, strict=True)
            )
            print(f"{name:<20} {rate:>12,.0f} {cpu:>12.1f} {exchange:>12.1f}")
        for player in players.values():
            if isinstance(player, agents.ProcessPlayer):
                print(player.report)


if __name__ == "__main__":
    main()
