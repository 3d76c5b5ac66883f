"""Measure the anchors of the bench for a new version.

    python tests/benchmarks/measure_reference.py

Writes hashes and the results of a suite's anchors against each other into the package. Takes about
ten minutes of CPU time. The suite limit is the one of version 1, and so are its results.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import product
from typing import Any

from agents.measure.bench.running import AnchorMatch
from agents.measure.bench.scorecard import OpponentResult
from agents.measure.bench.suites import (
    SUITES,
    VERSION,
    Suite,
    anchor_hash,
    find_anchor,
    find_suite,
    reference,
    reference_file,
)
from nlhe_env.system.files import replacing

_SEED = 1
_BLOCKS = {"heads-up": 5_000, "six-max": 600, "tournament": 100}


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", nargs="+", default=list(_BLOCKS), help="suites; others stay")
    chosen = parser.parse_args()
    names = dict.fromkeys(name for suite in SUITES.values() for name in suite.anchors)
    found: dict[str, Any] = {
        "version": VERSION,
        "anchors": {name: anchor_hash(name) for name in names},
        "suites": dict(reference()["suites"]),
    }
    for suite in map(find_suite, chosen.suites):
        results: dict[str, dict[str, float]] = {name: {} for name in suite.anchors}
        errors: dict[str, dict[str, float]] = {name: {} for name in suite.anchors}
        for first, second in product(suite.anchors, repeat=2):
            mean, error = _meet(suite, first, second)
            results[first][second], errors[first][second] = round(mean, 3), round(error, 3)
        found["suites"][suite.name] = {"results": results, "errors": errors}
        print(suite.name, results, file=sys.stderr, flush=True)
    with replacing(reference_file(VERSION)) as file:
        file.write(json.dumps(found, indent=1).encode() + b"\n")


def _meet(suite: Suite, first: str, second: str) -> tuple[float, float]:
    if first == second:
        return 0.0, 0.0
    one, seed = OpponentResult(second, suite), suite.seed_against(second, _SEED)
    match = AnchorMatch(find_anchor(first), find_anchor(second), suite, seed)
    one.add(match.play(0, _BLOCKS[suite.name]))
    return one.mean, one.error


if __name__ == "__main__":
    main()
