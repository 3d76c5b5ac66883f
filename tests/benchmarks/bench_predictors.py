"""How well the predictors of Poki foresee an opponent: a table of docs/theses/billings/results.md.

Usage: python tests/benchmarks/bench_predictors.py [SESSIONS] [OPPONENT ...]

Heads-up in fixed-limit, stacks of 100 big blinds, sessions of 400 hands with seeds from 1 on. The
fading mean of the squared error that Poki keeps, averaged over the hands of a session, then over
the sessions, with 95% intervals.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import stats

import agents
import nlhe_env
from agents.theses.billings.poki.records import MEMORY, N_MEMORY
from nlhe_env.jit.array_types import F64

OPPONENTS = (
    *("caller", "hothead-maniac", "tight-aggressive", "formula", "psopti-1"),
    "equilibrium-limit",
)
HANDS = 400
OBSERVER, OPPONENT = 0, 1
"""Seats."""


def errors(opponent: str, seed: int) -> F64:
    """``(3,)`` mean of the errors of generic player, counts and network in one session."""
    game = nlhe_env.Game.cash(
        betting="fixed-limit", starting_stack=10_000, blinds=(50, 100), num_hands=HANDS
    )
    env = nlhe_env.raw_env(2, game=game, actions="sized")
    observer, other = env.possible_agents
    lineup = agents.Lineup(env, {observer: "poki", other: opponent})
    env.reset(seed=seed)
    found = []
    hand = int(env.table["hand"])
    while not all(env.terminations.values()):
        if int(env.table["hand"]) != hand:
            hand = int(env.table["hand"])
            memory = lineup.work.memory[OBSERVER][:N_MEMORY].view(MEMORY)[0]
            found.append(memory["surprise"][OPPONENT].astype(np.float64))
        env.step(lineup.action())
    return np.mean(found, axis=0)


def main() -> None:
    """Print the table."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    factor = stats.t.ppf(0.975, sessions - 1)
    for opponent in sys.argv[2:] or OPPONENTS:
        found = np.array([errors(opponent, seed) for seed in range(1, sessions + 1)])
        spread = factor * found.std(axis=0, ddof=1) / np.sqrt(sessions)
        cells = (f"{x:.3f} ± {y:.3f}" for x, y in zip(found.mean(axis=0), spread, strict=True))
        print(f"| `{opponent}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
