"""Exploitability bounds of a player on the bench, by local best responses."""

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
"""Menus of the response, and the streets on which it only checks and calls."""
_ASKED = (N_HOLES, 300, 60, 20)
"""Numbers of hands queried; fewer are faster but give a weaker bound."""
_BLOCKS = 30
"""Minimum number of blocks for a meaningful standard error."""
_HAND_S, _HAND_OUTSIDE_S = 2e-4, 1e-2
"""Seconds per hand besides queries, inside the kernels and with an external player."""
_TURNS = 4
"""Number of decisions per hand for which an external player is queried."""


class NoBoundError(Exception):
    """There is no bound; the message says why."""


@dataclass(frozen=True)
class _Plan:
    """A plan for measuring a bound, with fewer queries for slow players.

    Attributes:
        menus: Menus to try.
        game: The game, with single-hand sessions if time is short.
        asked: Number of queried hands.
    """

    menus: tuple[Menu, ...]
    game: Game
    asked: int

    def least_seconds(self, seconds_per_hand: float) -> float:
        """Seconds for the minimum number of blocks."""
        return len(self.menus) * _BLOCKS * 2 * self.game.hands_limit * seconds_per_hand


def bound_of(
    player: Any,
    suite: Suite,
    *,
    seed: int,
    seconds: float,
    seconds_per_decision: float,
) -> Bound:
    """Bound from the menu that wins the most.

    Menus share the time evenly. The choice of the best of three makes the value slightly too high;
    the error does not include this. For a slow player, fewer hands are queried, then sessions have
    a single hand and only one menu is tried: the bound remains valid, but is weaker and has a
    larger error.

    Args:
        player: A compiled player, or one that reports its probabilities.
        suite: A heads-up suite with a cash game; others have no bound.
        seed: Seed of the cards and of the player's random numbers.
        seconds: Time limit for all menus.
        seconds_per_decision: Time that the player takes for a decision.

    Raises:
        NoBoundError: The suite or the player allows no bound, or the time is too short.
    """
    if suite.seats != 2 or not suite.game.is_cash:
        raise NoBoundError("best responses are available for heads-up cash games only")
    is_compiled = isinstance(player, CompiledPlayer)
    outside = None if is_compiled else hand_chances(player, N_HOLES)
    if not is_compiled and outside is None:
        raise NoBoundError("the player does not report action probabilities")

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
            f"this player needs at least {_as_time(needed)}; only {_as_time(seconds)} were left"
        )
    each = seconds / len(plan.menus)
    bounds = [_bound(player, plan, menu, seed, each) for menu in plan.menus]
    return max(bounds, key=lambda bound: bound.value)


def _plans(game: Game) -> Iterator[_Plan]:
    """Plans for measuring, the most thorough one first."""
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
