"""Suites of the bench: a game, and the anchors that every player faces.

A suite never changes, so that cards from different dates are comparable. The behaviour of its
anchors is hashed, and if they play differently, no rating is given. A change of a suite requires a
new ``VERSION``; the suites of earlier versions stay, so that their cards can be read and verified.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from agents.external.player_lifecycle import as_players
from agents.match.playing import play
from agents.match.schedules import Blocks
from agents.player_records import PLAYERS
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import pack_players
from agents.variance_reduction.methods import VarianceReduction
from nlhe_env.arguments import one_of, shown
from nlhe_env.game.description import Game

VERSION = 2
"""Current version of the suites. Cards of different versions are not comparable."""
_PROBE_SEED = 20_261_125
_PROBE_BLOCKS = 4
_HANDS_OF_TOURNAMENT = 100
_PROBES = ("random", "caller", "raiser")
"""Opponents in the hashed games, which lead to every kind of decision."""
_ROOMS = {"psopti-1": "billings", "limit-vote": "bonson"}
"""Rooms of anchors that are not in the core."""
_OPTIONS = {"nit": "tight-aggressive:threshold=0.9,raise_threshold=0.95,size=0.6"}
"""Anchors that are built-in players with options."""


@dataclass(frozen=True)
class Suite:
    """A game and its anchors.

    Attributes:
        name: Name of the suite.
        about: One-line description.
        game: The game; scored in big blinds, or by places.
        seats: Number of players at the table: one seat for the evaluated player, all others for an
            anchor.
        anchors: Names of the anchors for ``agents.make``; the first has the rating 0.
        variance_reduction: Variance-reduction method of the results.
        saturation: Big blinds per 100 hands beyond which results saturate in the rating; 0 for
            results that are bounded anyway.
        version: Version of the suites that it belongs to.
    """

    name: str
    about: str
    game: Game
    seats: int
    anchors: tuple[str, ...]
    variance_reduction: VarianceReduction = "aivat"
    saturation: float = 100.0
    version: int = VERSION

    @property
    def shares_cards(self) -> bool:
        """Whether all anchors are met with the same cards, so that errors are correlated."""
        return self.version == 1

    @property
    def unit(self) -> str:
        """Unit of results."""
        if self.game.is_cash:
            return "bb/100"
        return "places" if self.game.score == "place" else "% ROI"

    @property
    def in_unit(self) -> float:
        """Factor from the score of a block to the unit, except for places."""
        if self.game.is_cash:
            return 100.0 / self.hands_of_block
        # In every tournament of a block, a buy-in is the starting stack.
        return 100.0 / sum(self.game.stacks(self.seats))

    @property
    def hands_of_block(self) -> int:
        """Number of hands in a duplicate block.

        For tournaments, whose length varies, it is approximate.
        """
        hands = self.game.hands_limit if self.game.is_cash else _HANDS_OF_TOURNAMENT
        return self.seats * hands

    def lineup(self, player: Player, anchor: Player) -> list[Player]:
        """Players of a table."""
        return [player, *[anchor] * (self.seats - 1)]

    def seed_against(self, anchor: str, seed: int) -> int:
        """Seed of the match with an anchor.

        Args:
            anchor: Name of the anchor.
            seed: Seed of the card.
        """
        if self.shares_cards:
            return seed
        digest = hashlib.sha256(f"{seed} {anchor}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 2  # 62 bits, as in seeds that are drawn

    def bounded(self, result: float) -> float:
        """Result as counted in the rating.

        Small results are unchanged; large ones approach ``saturation``.
        """
        return result / math.hypot(1.0, result / self.saturation) if self.saturation else result

    def slope(self, result: float) -> float:
        """Derivative of ``bounded``."""
        return math.hypot(1.0, result / self.saturation) ** -3 if self.saturation else 1.0


_HEADS_UP = Suite(
    "heads-up",
    "heads-up no-limit cash game, 200 big blinds, sessions of ten hands",
    Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=10, score="big_blinds"),
    2,
    ("random", "caller", "loose-passive", "formula", "half-a-pro", "equilibrium-nolimit"),
)
_SIX_MAX = Suite(
    "six-max",
    "no-limit cash game for six players, 100 big blinds, sessions of six hands",
    Game.cash(starting_stack=10_000, blinds=(50, 100), num_hands=6, score="big_blinds"),
    6,
    ("random", "caller", "pot-odds", "loose-passive", "self-play-quick", "nit"),
)
_LIMIT = Suite(
    "limit",
    "heads-up fixed-limit cash game, 48 big blinds, sessions of ten hands",
    Game.cash(
        starting_stack=4_800,
        blinds=(50, 100),
        num_hands=10,
        betting="fixed-limit",
        score="big_blinds",
    ),
    2,
    ("random", "caller", "formula", "psopti-1", "limit-vote", "equilibrium-limit"),
)
_TOURNAMENT = Suite(
    "tournament",
    "tournaments of ten players with the published blind schedule; the winner takes all buy-ins",
    Game.tournament(score="chips"),
    10,
    ("random", "nit", "formula", "half-a-pro", "push-or-fold", "self-play-quick"),
    variance_reduction="none",
    saturation=0.0,
)


def _in_version_1(suite: Suite, anchors: tuple[str, ...], **changes: Any) -> Suite:
    return replace(suite, anchors=anchors, version=1, **changes)


_VERSION_1 = (
    _in_version_1(
        _HEADS_UP,
        ("random", "caller", "tight-passive", "formula", "half-a-pro", "equilibrium-nolimit"),
    ),
    _in_version_1(
        _SIX_MAX, ("random", "caller", "pot-odds", "formula", "tight-passive", "half-a-pro")
    ),
    _in_version_1(_LIMIT, _LIMIT.anchors),
    _in_version_1(
        _TOURNAMENT,
        ("random", "folder", "tight-passive", "formula", "half-a-pro", "push-or-fold"),
        about="tournaments of ten players with the published blind schedule",
        game=Game.tournament(),
    ),
)
VERSIONS: dict[int, dict[str, Suite]] = {
    1: {suite.name: suite for suite in _VERSION_1},
    2: {suite.name: suite for suite in (_HEADS_UP, _SIX_MAX, _LIMIT, _TOURNAMENT)},
}
"""Suites of every version, by name."""
SUITES = VERSIONS[VERSION]
"""Current suites by name."""


def find_suite(name: str, version: int = VERSION) -> Suite:
    """Find a suite by name.

    Raises:
        ValueError: The name or the version is unknown.
    """
    if version not in VERSIONS:
        known = " or ".join(map(str, VERSIONS))
        raise ValueError(f"the version of the suites must be {known}; got {shown(version)}")
    suites = VERSIONS[version]
    return suites[one_of("a suite", name, suites)]


def reference_file(version: int) -> Path:
    """File of the reference measurements of a version's anchors."""
    return Path(__file__).parents[2] / "data" / f"bench-anchors-{version}.json"


@cache
def reference(version: int = VERSION) -> dict[str, Any]:
    """Reference measurements of a version's anchors: hashes, and results against each other."""
    found: dict[str, Any] = json.loads(reference_file(version).read_text("utf-8"))
    return found


@cache
def find_anchor(name: str) -> CompiledPlayer:
    """Find an anchor by name.

    Raises:
        ValueError: The anchor is in a room that is not installed.
    """
    room = _ROOMS.get(name)
    if room is not None and name not in PLAYERS:
        raise ValueError(f"{name} is missing: it is in the room {room}, which is not installed")
    (player,) = as_players([_OPTIONS.get(name, name)])
    if not isinstance(player, CompiledPlayer):
        raise TypeError(f"anchors must be compiled players; {name} is not")
    return player


def anchors(suite: Suite) -> dict[str, CompiledPlayer]:
    """Anchors of a suite.

    Raises:
        RuntimeError: An anchor plays differently from when the suite was made.
    """
    found = {name: find_anchor(name) for name in suite.anchors}
    known = reference(suite.version)["anchors"]
    changed = [name for name in found if anchor_hash(name, suite.version) != known[name]]
    if changed:
        raise RuntimeError(
            f"{', '.join(changed)} in the suite {suite.name} (version {suite.version}) does not "
            "play as when the suite was made, so scorecards would not be comparable: use the "
            "release of nlhe-env that the suite was made with"
        )
    return found


@cache
def anchor_hash(name: str, version: int = VERSION) -> str:
    """``player_hash`` of an anchor over all its suites of a version."""
    suites = [each for each in VERSIONS[version].values() if name in each.anchors]
    return player_hash(find_anchor(name), suites)


def player_hash(player: CompiledPlayer, suites: Iterable[Suite]) -> str:
    """Hash of a compiled player's behaviour in the games of some suites.

    It covers weights, settings, book and the decisions in a few games, but not name and origin.
    """
    found = hashlib.sha256()
    found.update(player.sizes.tobytes())
    found.update(json.dumps(player.interpretation.as_dict(), sort_keys=True).encode())
    found.update(player.weights.tobytes())
    found.update(b"" if player.book is None else player.book.tobytes())
    for suite in suites:
        for probe in as_players(_PROBES):
            batch = pack_players(suite.lineup(player, probe))
            tally = play(batch, Blocks(_PROBE_BLOCKS), suite.game, seed=_PROBE_SEED)
            found.update(f"{tally.totals} {tally.squares} {tally.decisions}".encode())
            found.update(tally.style_counts.tobytes())
    return found.hexdigest()[:16]
