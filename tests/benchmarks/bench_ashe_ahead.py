"""ASHE 2.0 to 2.3 with random estimators: hands a second and core.

    python tests/benchmarks/bench_ashe_ahead.py

Those with default trees have such as 5,000 hands of random play leave behind: how far 2.2 and 2.3
look ahead depends on them. CPU seconds of one thread, medians of interleaved runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count

import numpy as np
from harness import medians, seconds

import agents
import nlhe_env
from agents.theses.li import tree
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.shape import LEVELS, RANGED, RECURSIVE, TEXTURED, ModelShape
from nlhe_env.game.betting import legal_raise

STACK, BLINDS = 20_000, (50, 100)
GAME = nlhe_env.Game.cash(starting_stack=STACK, blinds=BLINDS, num_hands=50)
HANDS, NODES, REPEATS = 5_000, 32_768, 5
FOLD, CALL = 0, 1
SIZES = {"full": (50, 10, 50, 100), "small": (20, 5, 50, 20), "smoke": (10, 5, 50, 10)}


def random_trees() -> np.ndarray:
    """Trees of hands in which both sides bet half a pot or a pot, call or fold at random."""
    shape = ModelShape(1, 1, 1, nodes=NODES, level=TEXTURED)
    player = ModelPlayer(np.zeros(sum(shape.parts)), shape=shape)
    env = nlhe_env.raw_env(
        2,
        actions="chips",
        mode="cash",
        starting_stack=STACK,
        blinds=BLINDS,
        num_hands=HANDS + 1,
    )
    seats = agents.Lineup(env, {"player_0": player})
    env.reset(seed=1)
    rng = np.random.default_rng(2)
    while env.tables[0]["hand"] < HANDS:
        table = env.tables[0]
        least, most = legal_raise(table)
        actions = [CALL] * 3
        if most:
            bets = (int(table["current_bet"] + table["pot"] // part) for part in (2, 1))
            actions += [min(max(bet, int(least)), int(most)) for bet in bets]
        if table["current_bet"] > table["street_bet"][table["actor"]]:
            actions.append(FOLD)
        env.step(actions[rng.integers(len(actions))])
    return seats.work.memory[0, : tree.count_numbers(NODES)].copy()


def hands_a_second(batch: agents.PlayerBatch, numbers: Iterator[int]) -> float:
    """In sessions of other cards at every call."""
    play = partial(agents.play, batch, agents.Blocks(1), GAME, seed=next(numbers))
    return 2 * GAME.hands_limit / seconds(play)


def main() -> None:
    """Hands a second against a calling machine."""
    default, measures = random_trees(), {}
    for size, (blocks, cell, hidden, boards) in SIZES.items():
        for level in range(RANGED + 1):
            shape = ModelShape(blocks, cell, hidden, nodes=NODES // 2, level=level)
            genes = np.random.default_rng(3).normal(0, 0.02, sum(shape.parts))
            if level >= TEXTURED:
                drawn = boards if level >= RECURSIVE else 0
                shape = shape._replace(default_nodes=NODES, boards=drawn)
                genes = np.concatenate([genes, default])
            player = ModelPlayer(genes, shape=shape)
            batch = agents.pack_players([player, agents.make("calling-machine")])
            measures[f"ASHE {LEVELS[level]}, {size}"] = partial(hands_a_second, batch, count())
    for name, rate in medians(measures, REPEATS).items():
        print(f"{name:20} {rate:9,.0f} hands per second")


if __name__ == "__main__":
    main()
