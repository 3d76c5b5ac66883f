"""The most that the four styles can lose in heads-up limit, for docs/results/exploitability.md.

Usage: python tests/benchmarks/bench_ceilings.py FLOPS [PLAYER ...]

Some seconds a flop on one thread.
"""

from __future__ import annotations

import sys
import time

import agents
from agents.exploitability import best_response_to_strength

STYLES = ("loose-aggressive", "loose-passive", "tight-aggressive", "tight-passive")


def main() -> None:
    """Print a row for every player."""
    flops, *names = sys.argv[1:]
    for name in names or [f"{style}:all_in_margin=0" for style in STYLES]:
        start = time.process_time()
        found = best_response_to_strength(agents.make(name), flops=int(flops))
        seconds = time.process_time() - start
        low, high = (f"{1000 * bound:,.0f}" for bound in found.interval)
        middle = f"{1000 * found.at_least:,.0f} .. {1000 * found.at_most:,.0f}"
        error = f"{1000 * found.error:,.0f}"
        print(f"| `{name}` | {middle} | {error} | {low} .. {high} | {seconds:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
