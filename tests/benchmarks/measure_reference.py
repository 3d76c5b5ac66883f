"""Measure the anchors of the bench for a new version.

    python tests/benchmarks/measure_reference.py

Writes hashes and the results of a suite's anchors against each other into the package. Results of
pairs that the previous version has in the same game are kept. Takes about twenty minutes of CPU
time.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from itertools import product
from typing import Any

from agents.measure.bench.running import AnchorMatch
from agents.measure.bench.scorecard import OpponentResult
from agents.measure.bench.suites import (
    SUITES,
    VERSION,
    VERSIONS,
    Suite,
    anchor_hash,
    find_anchor,
    reference,
    reference_file,
)
from nlhe_env.system.files import replacing

_SEED = 1
_BLOCKS = {"heads-up": 5_000, "six-max": 1_000, "limit": 5_000, "tournament": 300}
_WON_BY_CALLER = 100 / 12
"""Heads-up winnings of caller from random in bb/100: random folds half a big blind on the button in
a third of its hands, and no other decision of the two depends on their cards."""


def main() -> None:
    """Measure, and write the file."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    names = dict.fromkeys(name for suite in SUITES.values() for name in suite.anchors)
    found: dict[str, Any] = {
        "version": VERSION,
        "anchors": {name: anchor_hash(name) for name in names},
        "suites": {},
    }
    for suite in SUITES.values():
        results: defaultdict[str, dict[str, float]] = defaultdict(dict)
        errors: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for first, second in product(suite.anchors, repeat=2):
            mean, error = _known(suite, first, second) or _meet(suite, first, second)
            results[first][second], errors[first][second] = round(mean, 3), round(error, 3)
        found["suites"][suite.name] = {"results": results, "errors": errors}
        print(suite.name, dict(results), file=sys.stderr, flush=True)
    with replacing(reference_file(VERSION)) as file:
        file.write(json.dumps(found, indent=1).encode() + b"\n")


def _known(suite: Suite, first: str, second: str) -> tuple[float, float] | None:
    """Mean and standard error, exact or of the previous version; None if they must be measured."""
    if suite.seats == 2 and {first, second} == {"caller", "random"}:
        return _WON_BY_CALLER if first == "caller" else -_WON_BY_CALLER, 0.0
    if suite.game != VERSIONS[VERSION - 1][suite.name].game:
        return None
    known = reference(VERSION - 1)["suites"][suite.name]
    if second not in known["results"].get(first, {}):
        return None
    return known["results"][first][second], known["errors"][first][second]


def _meet(suite: Suite, first: str, second: str) -> tuple[float, float]:
    if first == second:
        return 0.0, 0.0
    one, seed = OpponentResult(second, suite), suite.seed_against(second, _SEED)
    match = AnchorMatch(find_anchor(first), find_anchor(second), suite, seed)
    one.add(match.play(0, _BLOCKS[suite.name]))
    return one.mean, one.error


if __name__ == "__main__":
    main()
