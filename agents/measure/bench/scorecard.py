"""Scorecards: a player's results on the bench, as values and as a JSON file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from agents.external.invalid_decisions import MOST_SHARE, InvalidDecisions
from agents.match.style import STYLE_STATS, style_stats
from agents.match.tally import Tally
from agents.measure.bench.rating import Rating, rate
from agents.measure.bench.suites import VERSION, VERSIONS, Suite, find_suite
from agents.statistics.estimates import MeanEstimate
from nlhe_env.arguments import shown
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.jit.array_types import F64
from nlhe_env.system.files import read_regular, replacing
from nlhe_env.system.json_text import parse_json, typed_fields

PLANNED_BLOCKS = 250
"""Number of blocks with the narrowest intervals; a fixed part of the suites."""
_FILE = "scorecard.json"
_UNIT = re.compile(r"\d{1,30}(/[1-9]\d{0,29})?")


@dataclass
class BlockSums:
    """Exact sums of the player's results over duplicate blocks.

    Attributes:
        unit: Score of one point.
        total: Sum of the points.
        squares: Sum of their squares.
    """

    unit: str = "1"
    total: int = 0
    squares: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> BlockSums:
        """Sums from plain values.

        Raises:
            ValueError: A value is invalid.
        """
        found = cls(**typed_fields(cls, values, sums=True))
        if not _UNIT.fullmatch(found.unit):
            raise ValueError(f"unit must be a fraction; got {found.unit!r}")
        return found

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
        suite: The suite.
        blocks: Number of duplicate blocks, which are independent.
        hands: Number of hands in these blocks.
        until_sure: Whether the match was to end as soon as it was known who is better. Matches end
            early where luck has exaggerated the difference, so only its sign is reliable.
        adjusted: Results with variance reduction.
        plain: Plain results.
        points: Points of every block with variance reduction; empty in cards of older versions.
        style_counts: Counts of the player's actions, see ``agents.style_stats``.
    """

    opponent: str
    suite: Suite
    blocks: int = 0
    hands: int = 0
    until_sure: bool = False
    adjusted: BlockSums = field(default_factory=BlockSums)
    plain: BlockSums = field(default_factory=BlockSums)
    points: list[int] = field(default_factory=list)
    style_counts: list[int] = field(default_factory=lambda: [0] * N_STYLE_COUNTS)

    def add(self, tally: Tally) -> None:
        """Add blocks of a match in which the player is the first."""
        if tally.rows is not None and self.has_points:
            self.points += tally.rows.points[:, 0].tolist()
        self.blocks += tally.count
        self.hands += tally.hands
        self.adjusted.add(tally)
        self.plain.add(tally.plain or tally)
        counts = np.array(self.style_counts) + tally.style_counts[0]
        self.style_counts = [int(count) for count in counts]

    @property
    def has_points(self) -> bool:
        """Whether ``points`` has every block."""
        return len(self.points) == self.blocks

    @property
    def unit(self) -> str:
        """Unit of the results."""
        return self.suite.unit

    @property
    def mean(self) -> float:
        """Mean result; nan without blocks."""
        return self.estimate.mean

    @property
    def error(self) -> float:
        """Standard error of ``mean``; nan with fewer than two blocks."""
        return self.estimate.error

    @property
    def plain_mean(self) -> float:
        """Mean result without variance reduction; nan without blocks."""
        return self._estimate(self.plain).mean

    @property
    def plain_error(self) -> float:
        """Standard error of ``plain_mean``; nan with fewer than two blocks."""
        return self._estimate(self.plain).error

    @property
    def low(self) -> float:
        """Lower bound of the true mean, see ``confidence_sequence``."""
        return self.estimate.sequence(planned=PLANNED_BLOCKS)[0]

    @property
    def high(self) -> float:
        """Upper bound of the true mean."""
        return self.estimate.sequence(planned=PLANNED_BLOCKS)[1]

    @property
    def sums(self) -> dict[str, Any]:
        """Exact sums over the blocks, as plain values."""
        names = ("blocks", "adjusted", "plain", "points", "style_counts")
        values = {name: getattr(self, name) for name in names}
        return {**values, "adjusted": asdict(self.adjusted), "plain": asdict(self.plain)}

    @property
    def estimate(self) -> MeanEstimate:
        """The result, with variance reduction."""
        return self._estimate(self.adjusted)

    def _estimate(self, sums: BlockSums) -> MeanEstimate:
        """Estimate in the suite's unit."""
        mean, deviation = sums.mean_and_deviation(self.blocks)
        error = deviation / math.sqrt(max(self.blocks, 1))
        if self.unit == "places":  # 0 is the middle place, higher is better
            return MeanEstimate((self.suite.seats + 1) / 2 - mean, error, self.blocks)
        in_unit = self.suite.in_unit
        return MeanEstimate(in_unit * mean, in_unit * error, self.blocks)


@dataclass(frozen=True)
class Bound:
    """Win of the best response found: a lower bound on the player's exploitability.

    Attributes:
        by: The best of several responses: the menu of a local best response, or an anchor. Cards
            of version 1.0 compared menus only, on the same cards.
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
        suite: The suite.
        results: Results by anchor, in the order of the suite.
        illegal: Number of illegal or missing answers.
        decisions: Number of timed decisions.
        seconds: Total time of these decisions.
        bound: Exploitability bound; None if it could not be measured.
        no_bound: Reason why there is no bound.
        invalid: Decisions that were not the player's own, for want of a valid answer.
    """

    suite: Suite
    results: dict[str, OpponentResult]
    illegal: int = 0
    decisions: int = 0
    seconds: float = 0.0
    bound: Bound | None = None
    no_bound: str = "not measured"
    invalid: InvalidDecisions = field(default_factory=InvalidDecisions)

    @property
    def invalid_share(self) -> float:
        """Share of decisions that were not the player's own."""
        return self.invalid.share(self.decisions)

    @property
    def is_own_play(self) -> bool:
        """Whether enough decisions were the player's own to rate it."""
        return self.invalid_share <= MOST_SHARE

    @property
    def name(self) -> str:
        """Name of the suite."""
        return self.suite.name

    @property
    def rating(self) -> float | None:
        """The rating; None before two blocks against every anchor, or with ``until_sure``.

        It is None as well if too few decisions were the player's own.
        """
        rated = self._rated
        return None if rated is None else rated.value

    @property
    def rating_error(self) -> float | None:
        """Standard error of the rating: rating ± 1.96 errors covers the true one with 95%."""
        rated = self._rated
        return None if rated is None else rated.error

    @property
    def until_sure(self) -> bool:
        """Whether a match was to end as soon as it was known who is better."""
        return any(each.until_sure for each in self.results.values())

    @property
    def _rated(self) -> Rating | None:
        if self.until_sure or not self.is_own_play:
            return None
        return rate(
            self.suite,
            {name: (each.mean, each.error) for name, each in self.results.items()},
            correlations=self._correlations(),
            degrees=max(1, min(each.blocks for each in self.results.values()) - 1),
        )

    def _correlations(self) -> F64 | None:
        """Correlations between the means against anchors that are met with the same cards.

        Without the points of every block they are unknown, and 1 is the most cautious value.
        """
        if not self.suite.shares_cards:
            return None
        results = list(self.results.values())
        blocks = np.array([each.blocks for each in results], np.float64)
        common = int(blocks.min())
        if common < 2 or not all(each.has_points for each in results):
            return np.ones((len(results), len(results)))
        points = np.array([each.points[:common] for each in results], np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):  # results without spread
            found = np.nan_to_num(np.corrcoef(points))
        # Of two means of different numbers of blocks, only the common blocks vary together.
        found *= np.sqrt(np.minimum.outer(blocks, blocks) / np.maximum.outer(blocks, blocks))
        np.fill_diagonal(found, 1.0)
        return found

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

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with None for unknown values."""
        return {
            "rating": self.rating,
            "rating_error": self.rating_error,
            "until_sure": self.until_sure,
            "illegal": self.illegal,
            "invalid": self.invalid.as_dict(),
            "invalid_share": self.invalid_share,
            "seconds_per_decision": _known(self.seconds_per_decision),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "style": {name: _known(value) for name, value in self.style.items()},
            "bound": None if self.bound is None else asdict(self.bound),
            "no_bound": self.no_bound if self.bound is None else None,
            "results": [
                {
                    name: _known(value) if isinstance(value, float) else value
                    for name, value in ((name, getattr(each, name)) for name in _ROW)
                }
                for each in self.results.values()
            ],
        }

    @classmethod
    def from_dict(cls, suite: Suite, about: Mapping[str, Any]) -> SuiteResult:
        """Result from the values of ``as_dict``; those that follow from others are not read.

        Raises:
            ValueError: An opponent is missing, unknown or there twice, or a value is invalid.
        """
        rows = about["results"]
        found = [row["opponent"] for row in rows]
        if found != list(suite.anchors):
            raise ValueError(
                f"{suite.name} must have one result against each of {', '.join(suite.anchors)}; "
                f"got {shown(found)}"
            )
        results = {}
        for row in rows:
            sums = dict(row["sums"])
            for key in ("adjusted", "plain"):
                sums[key] = BlockSums.from_dict(sums[key])
            sums |= {key: row[key] for key in ("opponent", "hands")}
            sums["until_sure"] = row.get("until_sure", False)  # not in cards of version 1.0
            points = typed_fields(OpponentResult, {"points": sums.pop("points", [])}, sums=True)
            result = OpponentResult(suite=suite, **points, **typed_fields(OpponentResult, sums))
            if len(result.style_counts) != N_STYLE_COUNTS:
                raise ValueError(f"style_counts must be {N_STYLE_COUNTS} numbers")
            for each in (result.adjusted, result.plain):
                if result.blocks * each.squares < each.total**2:
                    raise ValueError(
                        f"squares must be at least {each.total} squared over {result.blocks} "
                        f"blocks; got {each.squares}"
                    )
            results[result.opponent] = result
        others = [each.name for each in fields(cls) if each.name not in _PARTS]
        values = {key: about[key] for key in others if about.get(key) is not None}
        if (bound := about["bound"]) is not None:
            values |= {"bound": Bound(**typed_fields(Bound, bound)), "no_bound": ""}
        if "invalid" in about:  # not in cards of version 1.0
            values["invalid"] = InvalidDecisions.from_dict(about["invalid"])
        return cls(suite, results, **typed_fields(cls, values))


_PARTS = ("suite", "results", "bound", "invalid")
_ROW = (
    *("opponent", "hands", "until_sure", "unit", "mean", "error", "low", "high"),
    *("plain_mean", "plain_error", "sums"),
)
"""Names in the JSON of a result, all of them attributes."""


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
        with replacing(folder / _FILE) as file:
            file.write(json.dumps(self.as_dict(), indent=1, allow_nan=False).encode() + b"\n")
        return folder / _FILE

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with all that follows from others."""
        about = {each.name: getattr(self, each.name) for each in fields(self)}
        return about | {"suites": {name: suite.as_dict() for name, suite in self.suites.items()}}

    @classmethod
    def load(cls, path: Path) -> Scorecard:
        """Read a card from its file or its folder.

        Raises:
            ValueError: The card is missing, invalid, or of an unknown version.
        """
        path, about = cls.read(path)
        try:
            suites, version = about.pop("suites"), about["version"]
            results = {
                name: SuiteResult.from_dict(find_suite(name, version), each)
                for name, each in suites.items()
            }
            return cls(**typed_fields(cls, about), suites=results)
        except KeyError as error:
            raise ValueError(f"{path} is not a scorecard: it has no {error}") from None
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is not a scorecard: {error}") from None

    @classmethod
    def read(cls, path: Path) -> tuple[Path, dict[str, Any]]:
        """The file of a card, and the values in it as they are.

        Raises:
            ValueError: The card is missing or of an unknown version.
        """
        path = path / _FILE if path.is_dir() else path
        try:
            about = parse_json(read_regular(path), finite=False)
        except OSError as error:
            raise ValueError(f"{path}: there is no scorecard ({error.strerror})") from None
        except ValueError as error:
            raise ValueError(f"{path} is not a scorecard: {error}") from None
        found = about.get("version") if isinstance(about, dict) else None
        if type(found) is not int or found not in VERSIONS:
            known = " or ".join(map(str, VERSIONS))
            raise ValueError(f"{path}: the version of a scorecard must be {known}; got {found!r}")
        return path, about


def has_card(folder: Path) -> bool:
    """Whether a folder has a scorecard."""
    return (folder / _FILE).exists()


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
