"""The cost of saving and restoring a state: one table, all arrays, a whole environment.

    python tests/benchmarks/bench_state.py [--rounds 7]

Best of some rounds, wall time. "All arrays" are the game, the tables and the players; a deep copy
or a pickle of the environment also keeps all observations and infos of agents, and their rewards.
"""

from __future__ import annotations

import argparse
import copy
import pickle
import timeit
from collections.abc import Callable

import nlhe_env


def in_mid_game(players: int) -> nlhe_env.raw_env:
    """An environment some decisions into its second round."""
    env = nlhe_env.raw_env(players)
    env.reset(seed=1)
    while not env.table["hand"]:
        env.step(1)
    for _ in range(3):
        env.step(1)
    return env


def contenders(env: nlhe_env.raw_env) -> dict[str, Callable[[], object]]:
    record = env.table.copy()
    pickled = pickle.dumps(env)
    game, tables, players = env.game_record.copy(), env.tables.copy(), env.players.copy()

    def put_arrays_back() -> None:
        env.game_record[:] = game
        env.tables[:] = tables
        env.players[:] = players

    def step_and_put_back() -> None:
        env.step(1)
        env.set_table(record)

    return {
        "copy of the table": lambda: env.table.copy(),
        "set_table": lambda: env.set_table(record),
        "step and set_table": step_and_put_back,
        "copy of all arrays": lambda: (
            env.game_record.copy(),
            env.tables.copy(),
            env.players.copy(),
        ),
        "all arrays put back": put_arrays_back,
        "copy.deepcopy": lambda: copy.deepcopy(env),
        "pickle.dumps": lambda: pickle.dumps(env),
        "pickle.loads": lambda: pickle.loads(pickled),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    for players in (2, 6, 100):
        env = in_mid_game(players)
        arrays = env.game_record.nbytes + env.tables.nbytes + env.players.nbytes
        print(
            f"{players} players, {len(env.tables)} table(s): a table is {env.table.nbytes} bytes, "
            f"all arrays {arrays}, a pickle {len(pickle.dumps(env))}"
        )
        for name, act in contenders(env).items():
            timer = timeit.Timer(act)
            n, taken = timer.autorange()
            best = min(timer.repeat(rounds, max(1, int(n * 0.05 / taken))))
            per_call = best / max(1, int(n * 0.05 / taken))
            print(f"  {name:<22} {per_call * 1e9:>12,.0f} ns")


if __name__ == "__main__":
    main()
