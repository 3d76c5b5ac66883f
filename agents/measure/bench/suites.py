"""Suites of the bench: a game, and the anchors that every player faces.

A suite never changes, so that cards from different dates are comparable. The behaviour of its
anchors is hashed, and if they play differently, no rating is given. A change of a suite requires a
new ``VERSION``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
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
from nlhe_env.arguments import one_of
from nlhe_env.game.description import Game

VERSION = 1
"""Version of the suites. Cards of different versions are not comparable."""
_PROBE_SEED = 20_261_125
_PROBE_BLOCKS = 4
_HANDS_OF_TOURNAMENT = 100
_PROBES = ("random", "caller", "raiser")
"""Opponents in the hashed games, which lead to every kind of decision."""
_ROOMS = {"psopti-1": "billings", "limit-vote": "bonson"}
"""Rooms of anchors that are not in the core."""
REFERENCE = Path(__file__).parents[2] / "data" / "bench-anchors.json"
"""File of the anchors' reference measurements."""


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
    """

    name: str
    about: str
    game: Game
    seats: int
    anchors: tuple[str, ...]
    variance_reduction: VarianceReduction = "aivat"
    saturation: float = 100.0

    @property
    def unit(self) -> str:
        """Unit of results."""
        return "places" if self.game.score == "place" else "bb/100"

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

    def bounded(self, result: float) -> float:
        """Result as counted in the rating.

        Small results are unchanged; large ones approach ``saturation``.
        """
        return result / math.hypot(1.0, result / self.saturation) if self.saturation else result

    def slope(self, result: float) -> float:
        """Derivative of ``bounded``."""
        return math.hypot(1.0, result / self.saturation) ** -3 if self.saturation else 1.0


SUITES: dict[str, Suite] = {
    suite.name: suite
    for suite in (
        Suite(
            "heads-up",
            "heads-up no-limit cash game, 200 big blinds, sessions of ten hands",
            Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=10, score="big_blinds"),
            2,
            ("random", "caller", "tight-passive", "formula", "half-a-pro", "equilibrium-nolimit"),
        ),
        Suite(
            "six-max",
            "no-limit cash game for six players, 100 big blinds, sessions of six hands",
            Game.cash(starting_stack=10_000, blinds=(50, 100), num_hands=6, score="big_blinds"),
            6,
            ("random", "caller", "pot-odds", "formula", "tight-passive", "half-a-pro"),
        ),
        Suite(
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
        ),
        Suite(
            "tournament",
            "tournaments of ten players with the published blind schedule",
            Game.tournament(),
            10,
            ("random", "folder", "tight-passive", "formula", "half-a-pro", "push-or-fold"),
            variance_reduction="none",
            saturation=0.0,
        ),
    )
}
"""Suites by name."""


def find_suite(name: str) -> Suite:
    """Find a suite by name.

    Raises:
        ValueError: The name is unknown.
    """
    return SUITES[one_of("a suite", name, SUITES)]


@cache
def reference() -> dict[str, Any]:
    """Reference measurements of the anchors: hashes, results against each other, bounds."""
    found: dict[str, Any] = json.loads(REFERENCE.read_text("utf-8"))
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
    (player,) = as_players([name])
    if not isinstance(player, CompiledPlayer):
        raise TypeError(f"anchors must be compiled players; {name} is not")
    return player


def anchors(suite: Suite) -> dict[str, CompiledPlayer]:
    """Anchors of a suite.

    Raises:
        RuntimeError: An anchor plays differently from when the suite was made.
    """
    found = {name: find_anchor(name) for name in suite.anchors}
    known = reference()["anchors"]
    changed = [name for name in found if anchor_hash(name) != known[name]]
    if changed:
        raise RuntimeError(
            f"{', '.join(changed)} in the suite {suite.name} (version {VERSION}) does not play as "
            "when the suite was made, so scorecards would not be comparable: use the release of "
            "nlhe-env that the suite was made with"
        )
    return found


@cache
def anchor_hash(name: str) -> str:
    """``player_hash`` of an anchor over all its suites."""
    return player_hash(
        find_anchor(name), [each for each in SUITES.values() if name in each.anchors]
    )


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
