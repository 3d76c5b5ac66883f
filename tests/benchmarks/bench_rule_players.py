"""How good all players are: mean places at drawn tables, and beside the published field.

Usage: python tests/benchmarks/bench_rule_players.py [BLOCKS]

First column: every block of duplicate tables seats nine players drawn from all. Second column:
each player is the ninth beside the eight published benchmark players; a tenth of the blocks
for each. Standard errors are over blocks.
"""

from __future__ import annotations

import sys

import numpy as np

import agents
import nlhe_env
from evolve.training.comparison_players import PUBLISHED_FIELD
from nlhe_env.equity import load_tables

SEATS = 9
SEED = 1
GAME = nlhe_env.Game.tournament()


def at_drawn_tables(names: tuple[str, ...], blocks: int) -> dict[str, list[float]]:
    """The mean places of each player in the blocks that drew it."""
    rng = np.random.default_rng(SEED)
    players = [agents.make_compiled(name) for name in names]
    found: dict[str, list[float]] = {name: [] for name in names}
    tables = load_tables()
    for block in range(blocks):
        drawn = rng.choice(len(names), SEATS, replace=False).tolist()
        seated = [players[i] for i in drawn]
        places = agents.play(seated, agents.Blocks(1, block), GAME, seed=SEED, tables=tables).scores
        for i, place in zip(drawn, places.tolist(), strict=True):
            found[names[i]].append(place)
    return found


def beside_the_published_field(name: str, blocks: int) -> list[float]:
    """The mean places of a player."""
    players = [agents.make_compiled(each) for each in (*PUBLISHED_FIELD, name)]
    tally = agents.play(players, agents.Blocks(blocks), GAME, seed=SEED, rows=True)
    return tally.row_scores[:, -1].tolist()


def with_error(values: list[float]) -> str:
    """Mean and standard error."""
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):.2f}"


def main() -> None:
    """Print a table of all players."""
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    names = agents.names(compiled=True)
    drawn = at_drawn_tables(names, blocks)
    print("| player | random tables | ninth, with the published field |")
    print("| --- | --- | --- |")
    for name in sorted(names, key=lambda each: np.mean(drawn[each])):
        beside = ""
        if name not in PUBLISHED_FIELD:
            beside = with_error(beside_the_published_field(name, blocks // 10))
        print(f"| `{name}` | {with_error(drawn[name])} | {beside} |", flush=True)


if __name__ == "__main__":
    main()
