"""Scorecards: a player's results on the bench, as values and as a JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from agents.benchmark.rating import Rating, rate
from agents.benchmark.suites import VERSION, Suite, find_suite
from agents.match.style import STYLE_STATS, style_stats
from agents.match.tally import Tally
from agents.statistics.confidence_sequences import confidence_sequence
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.system.files import replacing

PLANNED_BLOCKS = 250
"""Number of blocks with the narrowest intervals; a fixed part of the suites."""
_FILE = "scorecard.json"


@dataclass
class Sums:
    """Exact sums of the player's results over duplicate blocks.

    Attributes:
        unit: Score of one point.
        total: Sum of the points.
        squares: Sum of their squares.
    """

    unit: str = "1"
    total: int = 0
    squares: int = 0

    def add(self, tally: Tally) -> None:
        """Add the points of the first player."""
        self.unit = str(tally.unit)
        self.total += int(tally.totals[0])
        self.squares += int(tally.squares[0])

    def mean_and_deviation(self, blocks: int) -> tuple[float, float]:
        """Mean and standard deviation of block scores; nan without enough blocks."""
        unit = Fraction(self.unit)
        mean = float(unit * self.total / blocks) if blocks else math.nan
        if blocks < 2:
            return mean, math.nan
        variance = Fraction(blocks * self.squares - self.total**2, blocks * (blocks - 1))
        return mean, float(unit) * math.sqrt(variance)


@dataclass
class OpponentResult:
    """Results against one anchor.

    Attributes:
        opponent: Name of the anchor.
        blocks: Number of duplicate blocks, which are independent.
        hands: Number of hands in these blocks.
        adjusted: Results with variance reduction.
        plain: Plain results.
        style_counts: Counts of the player's actions, see ``agents.style_stats``.
    """

    opponent: str
    blocks: int = 0
    hands: int = 0
    adjusted: Sums = field(default_factory=Sums)
    plain: Sums = field(default_factory=Sums)
    style_counts: list[int] = field(default_factory=lambda: [0] * N_STYLE_COUNTS)

    def add(self, tally: Tally) -> None:
        """Add blocks of a match in which the player is the first."""
        self.blocks += tally.count
        self.hands += tally.hands
        self.adjusted.add(tally)
        self.plain.add(tally.plain or tally)
        counts = np.array(self.style_counts) + tally.style_counts[0]
        self.style_counts = [int(count) for count in counts]

    def estimate(self, suite: Suite, *, plain: bool = False) -> tuple[float, float]:
        """Mean result and its standard error in the suite's unit; nan without enough blocks."""
        sums = self.plain if plain else self.adjusted
        mean, deviation = sums.mean_and_deviation(self.blocks)
        return self._in_unit(suite, mean), self._spread(suite, deviation) / math.sqrt(
            max(self.blocks, 1)
        )

    def interval(self, suite: Suite) -> tuple[float, float]:
        """Bounds of the true mean, valid at any stopping time; infinite with too few blocks."""
        mean, deviation = self.adjusted.mean_and_deviation(self.blocks)
        return confidence_sequence(
            self._in_unit(suite, mean),
            self._spread(suite, deviation),
            self.blocks,
            planned=PLANNED_BLOCKS,
        )

    def _in_unit(self, suite: Suite, score: float) -> float:
        """Score of a block in the suite's unit."""
        if suite.unit == "places":  # 0 is the middle place, higher is better
            return (suite.seats + 1) / 2 - score
        return 100.0 * score / suite.hands_of_block

    def _spread(self, suite: Suite, deviation: float) -> float:
        return deviation if suite.unit == "places" else 100.0 * deviation / suite.hands_of_block


@dataclass(frozen=True)
class Bound:
    """Win of a local best response: a lower bound on the player's exploitability.

    Attributes:
        by: Menu of raises of the response.
        value: Mean in the suite's unit.
        error: Standard error.
        hands: Number of hands played.
        asked: Number of queried hands out of 1,326; fewer for slow players.
        session: Number of hands per session.
    """

    by: str
    value: float
    error: float
    hands: int
    asked: int
    session: int


@dataclass
class SuiteResult:
    """Results of a player in one suite.

    Attributes:
        name: Name of the suite.
        results: Results by anchor, in the order of the suite.
        illegal: Number of illegal or missing answers.
        decisions: Number of timed decisions.
        seconds: Total time of these decisions.
        bound: Exploitability bound; None if it could not be measured.
        no_bound: Reason why there is no bound.
    """

    name: str
    results: dict[str, OpponentResult]
    illegal: int = 0
    decisions: int = 0
    seconds: float = 0.0
    bound: Bound | None = None
    no_bound: str = "not measured"

    @property
    def suite(self) -> Suite:
        """The suite."""
        return find_suite(self.name)

    @property
    def rating(self) -> Rating | None:
        """The rating; None before two blocks against every anchor."""
        estimates = {name: each.estimate(self.suite) for name, each in self.results.items()}
        return rate(self.suite, estimates)

    @property
    def seconds_per_decision(self) -> float:
        """Mean time per decision; nan before the first."""
        return self.seconds / self.decisions if self.decisions else math.nan

    @property
    def style(self) -> dict[str, float]:
        """Style measures by name over all results; nan without data."""
        counts = sum((np.array(each.style_counts) for each in self.results.values()), np.zeros(1))
        found = style_stats(np.broadcast_to(counts, (1, N_STYLE_COUNTS)).astype(np.int64))[0]
        return dict(zip(STYLE_STATS, map(float, found), strict=True))

    def is_decided(self, opponent: str) -> bool:
        """Whether the interval excludes 0, so that it is known who is better."""
        low, high = self.results[opponent].interval(self.suite)
        return low > 0.0 or high < 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with None for unknown values."""
        rating = self.rating
        return {
            "rating": None if rating is None else _known(rating.value),
            "rating_error": None if rating is None else _known(rating.error),
            "illegal": self.illegal,
            "seconds_per_decision": _known(self.seconds_per_decision),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "style": {name: _known(value) for name, value in self.style.items()},
            "bound": None if self.bound is None else asdict(self.bound),
            "no_bound": self.no_bound if self.bound is None else None,
            "results": [self._row(each) for each in self.results.values()],
        }

    def _row(self, result: OpponentResult) -> dict[str, Any]:
        suite = self.suite
        (mean, _), (low, high) = result.estimate(suite), result.interval(suite)
        plain_mean, plain_error = result.estimate(suite, plain=True)
        return {
            "opponent": result.opponent,
            "hands": result.hands,
            "unit": suite.unit,
            "mean": _known(mean),
            "low": _known(low),
            "high": _known(high),
            "plain_mean": _known(plain_mean),
            "plain_error": _known(plain_error),
            "bound": None if self.bound is None else self.bound.value,
            "sums": {
                key: value for key, value in asdict(result).items() if key not in _SHOWN_ELSEWHERE
            },
        }

    @classmethod
    def from_dict(cls, name: str, about: Mapping[str, Any]) -> SuiteResult:
        """Result from the values of ``as_dict``."""
        results = {}
        for row in about["results"]:
            sums = dict(row["sums"])
            sums["adjusted"], sums["plain"] = Sums(**sums["adjusted"]), Sums(**sums["plain"])
            results[row["opponent"]] = OpponentResult(row["opponent"], hands=row["hands"], **sums)
        bound = about["bound"]
        return cls(
            name,
            results,
            illegal=about["illegal"],
            decisions=about["decisions"],
            seconds=about["seconds"],
            bound=None if bound is None else Bound(**bound),
            no_bound=about["no_bound"] or "",
        )


_SHOWN_ELSEWHERE = ("opponent", "hands")


@dataclass
class Scorecard:
    """Results of a player on the bench.

    Attributes:
        player: Name of the player.
        player_hash: Hash of a compiled player's behaviour; otherwise class and name.
        seed: Seed of all cards and decisions.
        seed_was_given: Whether the seed was given; otherwise it was drawn after the player was
            fixed, so that the player cannot be fitted to its cards.
        gives_probabilities: Whether the player reports its action probabilities.
        anchors: Hash of every anchor, by name.
        suites: Results by suite.
        version: Version of the suites.
        package: Version of the package that wrote the card.
    """

    player: str
    player_hash: str
    seed: int
    seed_was_given: bool
    gives_probabilities: bool
    anchors: dict[str, str]
    suites: dict[str, SuiteResult] = field(default_factory=dict)
    version: int = VERSION
    package: str = ""

    def save(self, folder: Path) -> Path:
        """Write ``scorecard.json`` to a folder atomically; returns its path."""
        folder.mkdir(parents=True, exist_ok=True)
        about = {each.name: getattr(self, each.name) for each in fields(self)}
        about["suites"] = {name: suite.as_dict() for name, suite in self.suites.items()}
        with replacing(folder / _FILE) as file:
            file.write(json.dumps(about, indent=1, allow_nan=False).encode() + b"\n")
        return folder / _FILE

    @classmethod
    def load(cls, path: Path) -> Scorecard:
        """Read a card from its file or its folder.

        Raises:
            ValueError: The card is missing or has another version.
        """
        path = path / _FILE if path.is_dir() else path
        try:
            about = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise ValueError(f"{path}: there is no scorecard ({error.strerror})") from None
        except ValueError as error:
            raise ValueError(f"{path} is not a scorecard: {error}") from None
        if not isinstance(about, dict) or about.get("version") != VERSION:
            found = about.get("version") if isinstance(about, dict) else None
            raise ValueError(f"{path}: the version of a scorecard must be {VERSION}; got {found!r}")
        try:
            suites = about.pop("suites")
            results = {name: SuiteResult.from_dict(name, each) for name, each in suites.items()}
            return cls(**about, suites=results)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is not a scorecard: {error!r}") from None


def has_card(folder: Path) -> bool:
    """Whether a folder has a scorecard."""
    return (folder / _FILE).exists()


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
