"""Measure the ratings of built-in players anew.

    python tests/benchmarks/measure_ratings.py

Writes the ratings of all compiled built-in players, in every suite that they can play, into the
package. Takes about half an hour of CPU time.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor

from agents import registry
from agents.external.player_lifecycle import as_players
from agents.measure.bench.rating import RATINGS, Rating, rate
from agents.measure.bench.running import AnchorMatch, check_playable
from agents.measure.bench.scorecard import OpponentResult, SuiteResult
from agents.measure.bench.suites import SUITES, VERSION, Suite, find_anchor, find_suite, reference
from agents.policy.compiled_player import CompiledPlayer
from nlhe_env.system.cores import n_cores
from nlhe_env.system.files import replacing

_SEED = 2
_BLOCKS = {"heads-up": 250, "six-max": 100, "limit": 250, "tournament": 100}
"""Duplicate blocks against each anchor; those of tournaments have about a thousand hands."""


def anchor_ratings(suite: Suite) -> dict[str, Rating]:
    """Ratings of a suite's anchors, from their matches against each other."""
    known = reference()["suites"][suite.name]
    found = {}
    for name in suite.anchors:
        results, errors = known["results"][name], known["errors"][name]
        rating = rate(suite, {each: (results[each], errors[each]) for each in suite.anchors})
        if rating is not None:
            found[name] = rating
    return found


def main() -> None:
    """Measure all ratings, and write the file."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    ratings = {suite.name: anchor_ratings(suite) for suite in SUITES.values()}
    missing = [
        (suite, name)
        for suite, known in ratings.items()
        for name in registry.names(plugins=False)
        if name not in known
    ]
    with ProcessPoolExecutor(n_cores()) as pool:
        for (suite_name, name), rating in zip(missing, pool.map(_measure, missing), strict=True):
            if rating is not None:
                print(f"{suite_name} {name} {rating}", file=sys.stderr, flush=True)
                ratings[suite_name][name] = rating
    best_first = {
        suite_name: {
            name: [round(rating.value, 1), round(rating.error, 1)]
            for name, rating in sorted(known.items(), key=lambda item: -item[1].value)
        }
        for suite_name, known in ratings.items()
    }
    with replacing(RATINGS) as file:
        file.write(
            json.dumps({"version": VERSION, "ratings": best_first}, indent=1).encode() + b"\n"
        )


def measure(
    name: str, suite: Suite, *, blocks: int | None = None, seed: int = _SEED
) -> Rating | None:
    """The rating of a player; None if it cannot play the suite, or is not compiled.

    Args:
        name: Player name for ``agents.make``.
        suite: The suite.
        blocks: Number of duplicate blocks against each anchor; None for the usual one.
        seed: Seed of cards and decisions.
    """
    (player,) = as_players([name])
    if not isinstance(player, CompiledPlayer):
        return None
    try:
        check_playable(player, suite)
    except ValueError:
        return None
    result = SuiteResult(suite, {name: OpponentResult(name, suite) for name in suite.anchors})
    for anchor, one in result.results.items():
        match = AnchorMatch(player, find_anchor(anchor), suite, suite.seed_against(anchor, seed))
        one.add(match.play(0, blocks or _BLOCKS[suite.name], threads=1))
    if result.rating is None or result.rating_error is None:
        return None
    return Rating(result.rating, result.rating_error)


def _measure(suite_and_name: tuple[str, str]) -> Rating | None:
    suite_name, name = suite_and_name
    return measure(name, find_suite(suite_name))


if __name__ == "__main__":
    main()
