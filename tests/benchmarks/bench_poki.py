"""How fast Loki and Poki play, and how many hands a second a simulation plays to the end.

Usage: python tests/benchmarks/bench_poki.py [HANDS]

One thread. A simulated hand is one deal played to the end for one action.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import agents
import nlhe_env
from agents.player_records import PLAYERS
from agents.theses.billings.poki.records import MEMORY, N_MEMORY, N_SCRATCH, WORK
from agents.theses.billings.poki.simulation import prepare, simulate, write_options


def play_hands(name: str, opponent: str, seats: int, hands: int) -> float:
    """Hands a second of a player at a table of others."""
    game = nlhe_env.Game.cash(num_hands=hands, betting="fixed-limit", starting_stack=2_000)
    players = [agents.make(name), *(agents.make(opponent) for _ in range(seats - 1))]
    compiling = nlhe_env.Game.cash(num_hands=1, betting="fixed-limit")
    agents.play(players, agents.Blocks(1), compiling, seed=1)
    start = time.process_time()
    tally = agents.play(players, agents.Blocks(1), game, seed=1)
    return tally.hands / (time.process_time() - start)


def simulated_hands(seats: int, street: int, trials: int = 20_000) -> float:
    """Simulated hands a second on a street, so many players still in."""
    env = nlhe_env.raw_env(seats, betting="fixed-limit", actions="sized", mode="cash")
    listening = agents.Lineup(env, {agent: agents.make("loki-2") for agent in env.possible_agents})
    env.reset(seed=5)
    while env.table["street"] < street:
        env.step(1)
    table = env.table
    memory = listening.work.memory[int(table["actor"])][:N_MEMORY].view(MEMORY)[0]
    work = np.zeros(N_SCRATCH, np.float32).view(WORK)[0]
    weights = agents.make(f"loki-2:trials={trials}").weights
    rates = []
    for _ in range(6):
        prepare(weights, table, memory, work)
        n = write_options(table, 40, 40, work)
        start = time.process_time()
        done = simulate(weights, table, memory, n, work)
        rates.append(done * (n - 1) / (time.process_time() - start))
    return float(np.median(rates[1:]))


def main() -> None:
    """Print the figures."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for seats in (2, 6, 10):
        rates = [f"{simulated_hands(seats, street):,.0f}" for street in (1, 2, 3)]
        print(f"{seats} players: hands per second on flop, turn, river: {', '.join(rates)}")
    for name in (name for name, record in PLAYERS.items() if record.speed == "slow"):
        for opponent, seats in (("caller", 2), ("tight-aggressive", 2), ("tight-aggressive", 10)):
            rate = play_hands(name, opponent, seats, hands)
            print(f"{name} against {opponent}, {seats} players: {rate:,.0f} hands per second")


if __name__ == "__main__":
    main()
