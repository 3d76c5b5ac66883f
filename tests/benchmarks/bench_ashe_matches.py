"""The winnings of ASHE: the tables of docs/theses/li/results.md.

    python tests/benchmarks/bench_ashe_matches.py PLAYER [OPPONENT ...] [--blocks 20] [--hands 500]
    python tests/benchmarks/bench_ashe_matches.py PLAYER --early
    python tests/benchmarks/bench_ashe_matches.py PLAYER --snapshots
    python tests/benchmarks/bench_ashe_matches.py PLAYER --ranges
    python tests/benchmarks/bench_ashe_matches.py PLAYER --emptied [--hands 100]

A player is a name, a file or the folder of a run. Thousandths of a big blind a hand with 95 %
intervals over blocks: a session, and the same with the seats exchanged and nothing remembered.
"""

from __future__ import annotations

import argparse

import numpy as np

import agents
import nlhe_env
from agents.theses.li.ashe2 import ModelPlayer
from evolve.commands.league import find_players
from evolve.theses.li.measurements import measure_adaptation, measure_ranges

OPPONENTS = (
    *("early-scared-limper", "calling-machine", "early-hothead-maniac"),
    *("early-candid-statistician", "scared-limper", "hothead-maniac", "candid-statistician"),
    *("random-gambler", "ashe-loose-aggressive", "ashe-loose-passive", "ashe-tight-passive"),
    *("ashe-tight-aggressive", "half-a-pro", "equilibrium-nolimit"),
)
PARTS = {  # styles that the Random Gambler of table 5-7 took, every 50 hands
    "SL": "scared-limper",
    "HM": "hothead-maniac",
    "CM": "calling-machine",
    "CS": "candid-statistician",
}
DRAWN = ("SL", "HM", "CM", "CS", "HM", "SL", "CS", "CM", "CS", "HM")
SEED = 11


def game_of(hands: int) -> nlhe_env.Game:
    """The published game, in sessions of so many hands."""
    return nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=hands)


def matches(player: agents.Player, opponents: tuple[str, ...], blocks: int, hands: int) -> None:
    """Results with and without all-in adjustment."""
    for name in opponents:
        (other,) = find_players((name,)).values()
        tally = agents.play(
            [player, other],
            agents.Blocks(blocks),
            game_of(hands),
            seed=SEED,
            variance_reduction="all-in",
        )
        unit = 1000 / (100 * 2 * hands)
        plain, fair = (
            f"{found.scores[0] * unit:,.0f} ± {1.96 * found.errors[0] * unit:,.0f}"
            for found in (tally.plain, tally)
        )
        print(f"| `{name}` | {plain} | {fair} |", flush=True)


def snapshots(player: agents.CompiledPlayer, hands: int) -> None:
    """Table 5-7: what it knew after every 50 hands, against the gambler and its last part."""
    names = [PARTS[part] for part in DRAWN]
    judges = ["random-gambler", *PARTS.values()]
    found = measure_adaptation(player, names, judges, game_of(500), hands=hands, seed=SEED)
    print("| hands | met last | against it | against the gambler |")
    for i, after in enumerate(found.after):
        columns = [0] if i == 0 else [judges.index(names[i - 1]), 0]
        cells = [
            f"{1000 * found.scores[i, j]:,.0f} ± {1960 * found.errors[i, j]:,.0f}" for j in columns
        ]
        print("|", after, "|", DRAWN[i - 1] if i else "-", "|", " | ".join(cells), "|", flush=True)


def ranges(player: ModelPlayer, sessions: int) -> None:
    """How often the range of the opponent's hand is found, in sessions of 1,000 hands."""
    for name in ("candid-statistician", "calling-machine", "half-a-pro"):
        found = [
            measure_ranges(player, agents.make(name), game_of(1000), seed=seed)
            for seed in range(1, sessions + 1)
        ]
        cells = []
        for first in (0, 500):
            right, usual = (
                np.nanmean([getattr(one, what)(first) for one in found])
                for what in ("right", "most_frequent")
            )
            cells.append(f"{right:.1%} (always the most frequent: {usual:.1%})")
        print(f"| `{name}` |", " | ".join(cells), "|", flush=True)


def emptied(player: ModelPlayer) -> ModelPlayer:
    """An ASHE 2.1 or later with empty default trees."""
    weights = player.weights.copy()
    weights[len(weights) - player.shape.default_numbers :] = 0.0
    return ModelPlayer(weights, shape=player.shape)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("player")
    parser.add_argument("opponents", nargs="*")
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--hands", type=int, default=500)
    for what in ("snapshots", "ranges", "early", "emptied"):
        parser.add_argument(f"--{what}", action="store_true")
    given = parser.parse_args()
    (player,) = find_players((given.player,)).values()
    if given.emptied:
        player = emptied(player)
    if given.snapshots:
        snapshots(player, given.blocks * given.hands)
    elif given.ranges:
        ranges(player, max(1, given.blocks // 10))
    else:
        # The first hundred hands are where default trees should help.
        hands = 100 if given.early else given.hands
        matches(player, tuple(given.opponents) or OPPONENTS, given.blocks, hands)


if __name__ == "__main__":
    main()
