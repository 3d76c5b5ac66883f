"""The first minutes of a user: what programs cost with an empty cache folder, and with a full one.

    python tests/benchmarks/bench_cold_start.py [CHECKOUT ...] [--only step ...] [--rounds 1]

Every program runs in a process of its own: first with an empty folder for compiled kernels and
strength tables (``NLHE_ENV_CACHE``), then again with what it has left there. Seconds are those of
the whole process, from starting Python; CPU seconds count all its threads. Functions are those that
Numba compiled, its own included. Other checkouts, such as older versions, are measured in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[2]

PROGRAMS = {
    "step": """
        import nlhe_env

        env = nlhe_env.env()
        env.reset(seed=7)
        observation, *_ = env.last()
        env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
    """,
    "match": """
        import agents
        import nlhe_env

        names = (
            "folder", "caller", "old-best", "tight-aggressive", "formula:size=1", "hothead-maniac"
        )
        players = [agents.make(name) for name in names]
        agents.play(players, agents.Blocks(200), nlhe_env.Game.tournament(), seed=1)
    """,
}
MEANINGS = {
    "step": "first step of an environment",
    "match": "first match of players",
}

COUNTED = """
import json, sys
from numba.core import event

class Count(event.Listener):
    functions = 0
    def on_start(self, event):
        self.functions += 1
    def on_end(self, event):
        pass

count = Count()
event.register("numba:compile", count)
exec(compile(sys.argv[1], "<program>", "exec"), {"__name__": "__main__"})
print(json.dumps(count.functions))
"""


def measure(checkout: Path, program: str, cache: str) -> tuple[float, float, int]:
    """Seconds, CPU seconds and compiled functions of a program in a new process."""
    lines = [line.removeprefix(" " * 8) for line in PROGRAMS[program].splitlines()]
    environment = {**os.environ, "NLHE_ENV_CACHE": cache, "PYTHONPATH": str(checkout)}
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        [sys.executable, "-c", COUNTED, "\n".join(lines)],
        env=environment,
        cwd=cache,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode != 0:
        sys.exit(ended.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return time.perf_counter() - started, cpu, json.loads(ended.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=Path, default=[HERE])
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    for program in options.only:
        print(f"{MEANINGS[program]}:")
        runs: dict[tuple[Path, str], list[tuple[float, float, int]]] = {}
        for _ in range(options.rounds):
            for checkout in options.checkouts:
                with tempfile.TemporaryDirectory() as cache:
                    for state in ("empty cache", "later"):
                        found = measure(checkout.resolve(), program, cache)
                        runs.setdefault((checkout, state), []).append(found)
        for (checkout, state), measured in runs.items():
            seconds, cpu, functions = (
                statistics.median(column) for column in zip(*measured, strict=True)
            )
            print(
                f"  {state:11} {seconds:6.1f} s, {cpu:6.2f} CPU s, {functions:4.0f} functions"
                f"  {checkout if len(options.checkouts) > 1 else ''}",
                flush=True,
            )


if __name__ == "__main__":
    main()
