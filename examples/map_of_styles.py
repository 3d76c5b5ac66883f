"""Evolve the best threshold player of every playing style, and draw the map of styles.

A threshold player has four numbers: how strong a hand it plays, how strong a hand it raises, the
size of its raises and its caution before costly calls (``agents/players/rules/styles.py``). All
candidates play cash games against the same five players, with the same cards within a generation.
MAP-Elites keeps the best of every cell over two measures: hands entered before the flop, and
aggression after it. Built-in players are measured the same way.

Needs pyribs and Matplotlib (pip install '.[plot,qd]').

Usage: python examples/map_of_styles.py [--generations 40] [--out map_of_styles.png]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import agents
import nlhe_env
from agents.match.style import STYLE_STATS, behaviour_descriptors
from evolve import draw_style_map, seeds
from evolve.optimizers import MAPElites

try:
    import matplotlib  # noqa: F401  (draws the map)
    import ribs  # noqa: F401  (keeps its cells)
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[plot,qd]'") from None

OPPONENTS = ("tight-aggressive", "loose-aggressive", "loose-passive", "formula", "pot-odds")
KNOWN = (*OPPONENTS, "tight-passive", "caller", "raiser", "random")
GAME = nlhe_env.Game.cash(score="big_blinds")
SPANNED = (STYLE_STATS.index("voluntarily_in_pot"), STYLE_STATS.index("aggression"))
UNIT = "big blinds won in 100 hands"


def threshold_player(genome: np.ndarray) -> agents.CompiledPlayer:
    """Player with four parameters, each clipped to 0..1."""
    plays, raises, size, all_in_margin = np.clip(genome, 0.0, 1.0).tolist()
    return agents.make_compiled(
        f"tight-aggressive:threshold={plays:.6f}"
        f",raise_threshold={plays + (1 - plays) * raises:.6f}"
        f",size={0.05 + 1.95 * size:.6f},all_in_margin={all_in_margin:.6f}"
    )


def play(player: agents.CompiledPlayer, *, seed: int, blocks: int) -> agents.Tally:
    """Blocks of 120 hands against the opponents."""
    players = [player, *map(agents.make, OPPONENTS)]
    return agents.play(players, agents.Blocks(blocks), GAME, seed=seed, rows=True)


def winnings(played: agents.Tally) -> np.ndarray:
    """Big blinds won per 100 hands in each block."""
    return 100 * played.row_scores[:, 0] / played.rows.hands


def behaviour(played: agents.Tally) -> np.ndarray:
    """Behaviour measures of the player."""
    return behaviour_descriptors(played.style_counts[:1])[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--population", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=8, help="of 120 hands, for a candidate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("map_of_styles.png"))
    options = parser.parse_args()
    optimizer = MAPElites(
        np.full(4, 0.5),
        population=options.population,
        sigma=0.1,
        seed=options.seed,
        measures=SPANNED,
    )
    for generation in range(options.generations):
        cards = seeds.stream_seed(options.seed, seeds.TOURNAMENTS, generation)
        games = [
            play(threshold_player(genome), seed=cards, blocks=options.blocks)
            for genome in optimizer.ask()
        ]
        fitness = [winnings(played).mean() for played in games]
        optimizer.tell(fitness, [behaviour(played) for played in games])
    archive = optimizer.archive()
    print(f"{archive.stats.num_elites} styles after {options.generations} generations")

    fresh = seeds.stream_seed(options.seed, seeds.EVALUATION)
    players = {name: agents.make_compiled(name) for name in KNOWN}
    players["deployed"] = threshold_player(optimizer.recommend())
    known = {}
    print(f"{UNIT}, on fresh cards, with standard errors:")
    for name, player in players.items():
        played = play(player, seed=fresh, blocks=25 * options.blocks)
        won = winnings(played)
        print(f"  {name:20} {won.mean():+z9.1f} ± {won.std(ddof=1) / np.sqrt(len(won)):.1f}")
        known[name] = behaviour(played)[list(SPANNED)]
    draw_style_map(
        archive,
        options.out,
        fitness=UNIT,
        title="The best threshold player of every style, against five rule players",
        players=known,
    )
    print(f"written: {options.out}")


if __name__ == "__main__":
    main()
