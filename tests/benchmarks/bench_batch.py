"""Steps per second of ``BatchEnv`` on one core beside the fastest engines on the registry.

    python tests/benchmarks/bench_batch.py [--tables 1024] [--seconds 0.5] [--rounds 5]

Cash hands of 100 big blinds; uniformly random legal actions, or check and call only; whole hands,
the policy's own cost included; CPU seconds of the process, medians of rounds in turn. The others
need ``pip install pokers open_spiel``; without them only ours is measured. Always calling takes
the same actions everywhere (4 a player and hand), random hands differ in length from engine to
engine with the raises that each one offers.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from harness import medians, options, rate

import nlhe_env

HAND: dict[str, Any] = {"mode": "cash", "starting_stack": 200, "blinds": (1, 2)}

# A contender plays for a while and returns how many actions that were.
Contender = Callable[[], int]


def ours(players: int, policy: str, observation: str | None, n_tables: int) -> Contender:
    batch = nlhe_env.BatchEnv(n_tables, players, observation=observation, **HAND)
    batch.reset(seed=1)
    rng = np.random.default_rng(1)
    calls = np.ones(n_tables, np.int64)

    def play() -> int:
        for _ in range(20):
            batch.step(calls if policy == "call" else batch.sample_actions(rng))
        return 20 * n_tables

    return play


def pokers_engine(players: int, policy: str) -> Contender:
    import pokers

    fold_call_raise, action_of = pokers.ActionEnum, pokers.Action
    pick = random.Random(1).random
    hands = 0

    def chosen(state: Any) -> Any:
        legal = state.legal_actions
        if policy == "call":
            check = fold_call_raise.Check
            return action_of(check if check in legal else fold_call_raise.Call)
        kind = legal[int(pick() * len(legal))]
        if kind != fold_call_raise.Raise:
            return action_of(kind)
        player = state.players_state[state.current_player]
        most = player.stake - (state.min_bet - player.bet_chips)
        return action_of(kind, float(1 + int(pick() * most)) if most >= 1 else most)

    def play() -> int:
        nonlocal hands
        actions = 0
        for _ in range(100):
            hands += 1
            state = pokers.State.from_seed(
                n_players=players, button=hands % players, sb=1.0, bb=2.0, stake=200.0, seed=hands
            )
            while not state.final_state:
                state = state.apply_action(chosen(state))
                actions += 1
                if int(state.status) != 0:  # the engine refused the amount
                    break
        return actions

    return play


def open_spiel_engine(players: int, policy: str, *, observing: bool) -> Contender:
    import pyspiel

    heads_up = players == 2
    parameters = {
        "betting": "nolimit",
        "numPlayers": players,
        "numRounds": 4,
        "blind": "2 1" if heads_up else "1 2" + " 0" * (players - 2),
        "firstPlayer": "2 1 1 1" if heads_up else "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(["200"] * players),
        "bettingAbstraction": "fcpa",  # fold, call, pot, all-in: its fastest form
    }
    listed = ",".join(f"{name}={value}" for name, value in parameters.items())
    game = pyspiel.load_game(f"universal_poker({listed})")
    pick = random.Random(1).random

    def play() -> int:
        actions = 0
        for _ in range(50):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node() or policy == "random":
                    if observing and not state.is_chance_node():
                        state.observation_tensor(state.current_player())
                    legal = state.legal_actions()
                    action = legal[int(pick() * len(legal))]
                else:
                    if observing:
                        state.observation_tensor(state.current_player())
                    action = 1
                actions += not state.is_chance_node()
                state.apply_action(action)
            state.returns()
        return actions

    return play


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Discard what compiled code prints: pokers reports every showdown."""
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def contenders(players: int, policy: str, n_tables: int) -> dict[str, Contender]:
    """How each engine plays, by name."""
    found = {
        "nlhe_env": ours(players, policy, None, n_tables),
        "nlhe_env, cards": ours(players, policy, "cards", n_tables),
        "nlhe_env, 35 inputs": ours(players, policy, "features_scaled", n_tables),
    }
    with contextlib.suppress(ImportError):
        found["pokers"] = pokers_engine(players, policy)
    with contextlib.suppress(ImportError):
        for observing in (False, True):
            name = "OpenSpiel fcpa, tensor" if observing else "OpenSpiel fcpa"
            found[name] = open_spiel_engine(players, policy, observing=observing)
    return found


def compare(players: int, policy: str, given: argparse.Namespace) -> None:
    engines = contenders(players, policy, given.tables)
    measures = {name: partial(rate, play, given.seconds) for name, play in engines.items()}
    with silence():
        found = medians(measures, given.rounds)
    others = [found[name] for name in engines if not name.startswith("nlhe_env")]
    print(f"\n{players} players, {policy:<8}         actions/s   to the fastest other")
    for name, actions in found.items():
        ratio = f"{actions / max(others):>10.1f}" if others else ""
        print(f"  {name:<24} {actions:>13,.0f} {ratio}")


def creation() -> None:
    nlhe_env.BatchEnv(1, 6).reset(seed=1)
    start = time.perf_counter()
    batch = nlhe_env.BatchEnv(4096, 6, **HAND)
    created = time.perf_counter()
    batch.reset(seed=1)
    dealt = time.perf_counter()
    print(f"\n4096 tables of six: {batch.nbytes / 4096:,.0f} bytes each, of these", end=" ")
    print(f"{4 * batch.observation_size} of observation;", end=" ")
    print(f"created in {1e3 * (created - start):.1f} ms, reset in {1e3 * (dealt - created):.1f} ms")


def main() -> None:
    given = options(__doc__, tables=1024, seconds=0.5, rounds=5)
    if len(contenders(2, "call", 1)) == 3:
        print("comparison needs: pip install pokers open_spiel")
    for players in (2, 6, 9):
        for policy in ("random", "call"):
            compare(players, policy, given)
    creation()


if __name__ == "__main__":
    main()
