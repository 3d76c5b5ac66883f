"""What a local best response wins of a player on the bench."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from agents.benchmark.scorecard import Bound
from agents.benchmark.suites import Suite
from agents.exploitability.action_menu import Menu
from agents.exploitability.lbr_match import LocalBestResponse
from agents.external.hand_chances import SampledChances, hand_chances
from agents.match.schedules import Blocks
from agents.match.tally import Tally
from agents.policy.compiled_player import CompiledPlayer
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.description import Game

_MENUS = (Menu.of("fold-call"), Menu.of("fcpa"), Menu.of("fcpa", ("preflop", "flop")))
"""Raises that the response considers, and streets on which it only waits."""
_ASKED = (N_HOLES, 300, 60, 20)
"""Numbers of hands that a player is asked about; fewer are faster, and the bound is worse."""
_BLOCKS = 30
"""Least number of blocks, so that the error means something."""
_HAND_S, _HAND_OUTSIDE_S = 2e-4, 1e-2
"""What a hand takes besides the questions, in the kernels and with a player outside them."""
_TURNS = 4
"""Decisions of a hand that a player outside the kernels is asked about."""


class NoBoundError(Exception):
    """There is no bound; the message says why."""


@dataclass(frozen=True)
class _Plan:
    """A way to measure a bound: slow players are asked less.

    Attributes:
        menus: Menus that are tried.
        game: The game; with sessions of a single hand in place of longer ones where time is short.
        asked: Number of hands that the player is asked about.
    """

    menus: tuple[Menu, ...]
    game: Game
    asked: int

    def least_seconds(self, seconds_per_hand: float) -> float:
        """What the least number of blocks takes."""
        return len(self.menus) * _BLOCKS * 2 * self.game.hands_limit * seconds_per_hand


def bound_of(
    player: Any,
    suite: Suite,
    *,
    seed: int,
    seconds: float,
    seconds_per_decision: float,
) -> Bound:
    """The bound by the menu that wins most.

    Menus share the time evenly. The choice of the best of three makes the value slightly too high;
    the error does not contain that. A slow player is asked about fewer hands, then in sessions of a
    single hand and with one menu: the bound stays one, but wins less and has a larger error.

    Args:
        player: The player: compiled, or one that gives its chances.
        suite: A suite of two players in a cash game; of others there is no bound.
        seed: Seed of cards and of the player's randomness.
        seconds: Time for all menus.
        seconds_per_decision: What the player takes for a decision.

    Raises:
        NoBoundError: The suite or the player has none, or the time is too short.
    """
    if suite.seats != 2 or not suite.game.is_cash:
        raise NoBoundError("a best response is known for cash games of two players")
    is_compiled = isinstance(player, CompiledPlayer)
    outside = None if is_compiled else hand_chances(player, N_HOLES)
    if not is_compiled and outside is None:
        raise NoBoundError("the player gives no chances of its actions")

    def of_a_hand(asked: int) -> float:
        if outside is None:
            return _HAND_S + asked * seconds_per_decision
        questions = _TURNS * (asked if isinstance(outside, SampledChances) else 1)
        return _HAND_OUTSIDE_S + questions * seconds_per_decision

    for plan in _plans(suite.game):
        if plan.least_seconds(of_a_hand(plan.asked)) < seconds:
            break
    else:
        needed = plan.least_seconds(of_a_hand(plan.asked))
        raise NoBoundError(
            f"it takes at least {_as_time(needed)} of this player; {_as_time(seconds)} were left"
        )
    each = seconds / len(plan.menus)
    bounds = [_bound(player, plan, menu, seed, each) for menu in plan.menus]
    return max(bounds, key=lambda bound: bound.value)


def _plans(game: Game) -> Iterator[_Plan]:
    """Ways to measure, the most thorough one first."""
    single = replace(game, num_hands=1)
    yield from (_Plan(_MENUS, game, asked) for asked in _ASKED)
    yield _Plan(_MENUS[1:2], game, _ASKED[-1])
    yield _Plan(_MENUS[1:2], single, _ASKED[-1])


def _bound(player: Any, plan: _Plan, menu: Menu, seed: int, seconds: float) -> Bound:
    response = LocalBestResponse(menu, plan.asked)
    parts: list[Tally] = []
    first, count, end = 0, 1, time.monotonic() + seconds
    while first < _BLOCKS or time.monotonic() < end:
        began = time.monotonic()
        parts.append(response([player], Blocks(count, first), plan.game, seed=seed))
        first += count
        if time.monotonic() - began < seconds / 20:
            count *= 2
    tally = reduce(Tally.__add__, parts)
    session = plan.game.hands_limit
    in_unit = 100.0 / (2 * session)
    value, error = float(tally.scores[1]) * in_unit, float(tally.errors[1]) * in_unit
    return Bound(menu.name, value, error, tally.hands, plan.asked, session)


def _as_time(seconds: float) -> str:
    return f"{seconds:.1f} seconds" if seconds < 120 else f"{seconds / 60:,.0f} minutes"
