"""Which power of the number of callers suits push or fold: big blinds a hundred hands, six players.

Usage: python tests/benchmarks/bench_push_or_fold.py [SESSIONS]

Two players of each power at a table of six; stacks of ten big blinds are put back every hand.
"""

from __future__ import annotations

import sys

import numpy as np

import agents
import nlhe_env

POWERS = (0.5, 0.8, 1.1)
HANDS = 500


def main() -> None:
    """Print the means over sessions of 500 hands, with standard errors."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    env = nlhe_env.env(
        2 * len(POWERS),
        starting_stack=200,
        blinds=(10, 20),
        mode="cash",
        num_hands=HANDS,
        reward="big_blinds",
        observation="features",
        actions="chips",
    )
    names = [f"push-or-fold:opponent_share={power}" for power in POWERS] * 2
    won = np.zeros((sessions, len(POWERS)))
    for session in range(sessions):
        players = dict(zip(env.possible_agents, map(agents.make, names), strict=True))
        rewards = list(agents.play_episode(env, players, seed=session).values())
        won[session] = np.reshape(rewards, (2, -1)).mean(axis=0) * 100 / HANDS
    errors = won.std(axis=0, ddof=1) / np.sqrt(sessions)
    for power, mean, error in zip(POWERS, won.mean(axis=0), errors, strict=True):
        print(f"opponent_share={power}: {mean:+.2f} ± {error:.2f} big blinds per 100 hands")


if __name__ == "__main__":
    main()
