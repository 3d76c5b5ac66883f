"""What benchmarks have in common: times, rates, measures in turn, medians, options.

Times are CPU seconds of the process, where no other clock is given. Measures take turns, so that
what the machine does in between strikes all of them, and the first call of each, which may compile,
is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Clock = Callable[[], float]
Found = TypeVar("Found")


def options(doc: str | None, **defaults: int | float | str) -> argparse.Namespace:
    """Options of the command line by their defaults, which give the types.

    Args:
        doc: Docstring of the benchmark, whose first line is its help.
        defaults: Default of every option by name.
    """
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    for name, default in defaults.items():
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, type=type(default), default=default, help=f"default: {default}")
    return parser.parse_args()


def seconds(work: Callable[[], Any], clock: Clock = time.process_time) -> float:
    """Seconds of a call."""
    start = clock()
    work()
    return clock() - start


def rate(work: Callable[[], float], least: float, clock: Clock = time.process_time) -> float:
    """Units of work a second; ``work`` returns how many it did, and is called until time is up.

    Args:
        work: Does some work.
        least: Seconds after which it is called no more.
        clock: Measures them.
    """
    done, start = 0.0, clock()
    while clock() - start < least:
        done += work()
    return done / (clock() - start)


def in_turn(measures: Mapping[str, Callable[[], Found]], rounds: int) -> dict[str, list[Found]]:
    """What every measure returns in each round; the calls before the first round do not count."""
    for measure in measures.values():
        measure()
    found: dict[str, list[Found]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    return found


def medians(measures: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Medians of what measures return in turn."""
    return {name: statistics.median(found) for name, found in in_turn(measures, rounds).items()}


def median_seconds(work: Callable[[], Any], rounds: int, clock: Clock = time.process_time) -> float:
    """Median seconds of a call."""
    return medians({"": lambda: seconds(work, clock)}, rounds)[""]
