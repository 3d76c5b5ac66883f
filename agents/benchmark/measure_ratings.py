"""``python -m agents.benchmark.measure_ratings``: measure the ratings of built-in players anew.

Writes the rating of every built-in player in every suite that it can play into the package, without
those that are too slow. Takes half an hour of one core by default.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from agents import registry
from agents.benchmark.rating import RATINGS, Rating, measured_ratings, rate
from agents.benchmark.running import Table, check_playable
from agents.benchmark.scorecard import OpponentResult
from agents.benchmark.suites import SUITES, VERSION, Suite, find_anchor, reference
from agents.external.player_lifecycle import as_players
from agents.policy.compiled_player import CompiledPlayer
from nlhe_env.system.files import replacing

_SEED = 2
_LEAST_BLOCKS = 30
"""Below these the error of a result is not known well enough, see ``docs/bench.md``."""
_USUAL_BLOCKS = 100
"""Least number of blocks of tournaments, which have many hands, where there is time."""


def anchor_ratings(suite: Suite) -> dict[str, Rating]:
    """Ratings of the anchors of a suite, from their matches with each other."""
    known = reference()["suites"][suite.name]
    found = {}
    for name in suite.anchors:
        results, errors = known["results"][name], known["errors"][name]
        rating = rate(suite, {each: (results[each], errors[each]) for each in suite.anchors})
        if rating is not None:
            found[name] = rating
    return found


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=int, default=20_000, help="hands against each anchor")
    parser.add_argument("--seconds", type=float, default=3.0, help="time against each anchor")
    parser.add_argument("--new", action="store_true", help="measure only what has no rating yet")
    chosen = parser.parse_args()
    found: dict[str, Any] = {"version": VERSION, "ratings": {}}
    for suite in SUITES.values():
        ratings = (measured_ratings(suite) if chosen.new else {}) | anchor_ratings(suite)
        for name in registry.names(plugins=False):
            if name not in ratings:
                rating = measure(name, suite, hands=chosen.hands, seconds=chosen.seconds)
                print(suite.name, name, rating, file=sys.stderr, flush=True)
                if rating is not None:
                    ratings[name] = rating
        best_first = sorted(ratings.items(), key=lambda item: -item[1].value)
        found["ratings"][suite.name] = {
            name: [round(rating.value, 1), round(rating.error, 1)] for name, rating in best_first
        }
    with replacing(RATINGS) as file:
        file.write(json.dumps(found, indent=1).encode() + b"\n")


def measure(
    name: str, suite: Suite, *, hands: int, seconds: float, seed: int = _SEED
) -> Rating | None:
    """The rating of a player; None if it cannot play the suite, or is too slow.

    Args:
        name: Name as ``agents.make`` takes it.
        suite: The suite.
        hands: Hands against each anchor, rounded up to whole blocks.
        seconds: CPU time after which no new blocks are played against an anchor.
        seed: Seed of cards and decisions.
    """
    (player,) = as_players([name])
    if not isinstance(player, CompiledPlayer):
        return None
    try:
        check_playable(player, suite)
    except ValueError:
        return None
    results = {}
    most = max(-(-hands // suite.hands_of_block), 0 if suite.game.is_cash else _USUAL_BLOCKS)
    for anchor in suite.anchors:
        one, table = OpponentResult(anchor), Table(player, find_anchor(anchor), suite, seed)
        table.play_part(0, 1)  # compiles what is missing
        end, count = time.thread_time() + seconds, 1
        while one.blocks < most and time.thread_time() < end:
            count = min(count, most - one.blocks)
            one.add(table.play_part(one.blocks, count))
            count *= 2
        if one.blocks < _LEAST_BLOCKS:
            return None
        results[anchor] = one.estimate(suite)
    return rate(suite, results)


if __name__ == "__main__":
    main()
