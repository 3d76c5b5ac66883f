"""Measure the anchors of the bench for a new version.

    python tests/benchmarks/measure_reference.py

Writes hashes, the results of a suite's anchors against each other, and their exploitability bounds
into the package. Takes an hour on two cores by default.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from itertools import product
from typing import Any

from agents.measure.bench.bounds import NoBoundError, bound_of
from agents.measure.bench.rating import anchor_values
from agents.measure.bench.running import AnchorMatch
from agents.measure.bench.scorecard import OpponentResult
from agents.measure.bench.suites import (
    REFERENCE,
    SUITES,
    VERSION,
    Suite,
    anchor_hash,
    find_anchor,
    find_suite,
    reference,
)
from nlhe_env.system.files import replacing

_SEED = 1


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=20_000, help="blocks of a cash match")
    parser.add_argument("--tournaments", type=int, default=1_000, help="blocks of tournaments")
    parser.add_argument("--bound-seconds", type=float, default=180.0, help="time for each bound")
    parser.add_argument("--suites", nargs="+", default=list(SUITES), help="suites; others stay")
    chosen = parser.parse_args()
    names = dict.fromkeys(name for suite in SUITES.values() for name in suite.anchors)
    found: dict[str, Any] = {
        "version": VERSION,
        "anchors": {name: anchor_hash(name) for name in names},
        "suites": dict(reference()["suites"]),
    }
    for suite in map(find_suite, chosen.suites):
        blocks = chosen.blocks if suite.game.is_cash else chosen.tournaments
        results: dict[str, dict[str, float]] = {name: {} for name in suite.anchors}
        errors: dict[str, dict[str, float]] = {name: {} for name in suite.anchors}
        for first, second in product(suite.anchors, repeat=2):
            mean, error = _meet(suite, first, second, blocks)
            results[first][second], errors[first][second] = round(mean, 3), round(error, 3)
        bounds = {name: _bound(suite, name, chosen.bound_seconds) for name in suite.anchors}
        found["suites"][suite.name] = {"results": results, "errors": errors, "bounds": bounds}
        print(suite.name, anchor_values(suite, results), bounds, file=sys.stderr, flush=True)
    with replacing(REFERENCE) as file:
        file.write(json.dumps(found, indent=1).encode() + b"\n")


def _meet(suite: Suite, first: str, second: str, blocks: int) -> tuple[float, float]:
    if first == second:
        return 0.0, 0.0
    one = OpponentResult(second, suite)
    one.add(AnchorMatch(find_anchor(first), find_anchor(second), suite, _SEED).play(0, blocks))
    return one.mean, one.error


def _bound(suite: Suite, name: str, seconds: float) -> dict[str, Any] | None:
    try:
        found = bound_of(
            find_anchor(name), suite, seed=_SEED, seconds=seconds, seconds_per_decision=0.0
        )
    except NoBoundError:
        return None
    return asdict(found)


if __name__ == "__main__":
    main()
