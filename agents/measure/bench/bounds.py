"""Exploitability bounds of a player on the bench, by local best responses and by the anchors.

A local best response looks one action ahead, so that it can win far less than another player does.
The bound is therefore from the best of all of them, which is chosen on other cards.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from agents.exploitability.action_menu import USUAL_MENUS, Menu
from agents.exploitability.lbr_match import LocalBestResponse
from agents.external.hand_chances import SampledChances, hand_chances
from agents.match.playing import play
from agents.match.schedules import Blocks
from agents.match.tally import Tally
from agents.measure.bench.scorecard import Bound
from agents.measure.bench.suites import Suite, find_anchor
from agents.policy.compiled_player import CompiledPlayer
from nlhe_env.arguments import one_of
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.description import Game

_MENU_BY_NAME = {menu.name: menu for menu in USUAL_MENUS}
_ASKED = (N_HOLES, 300, 60, 20)
"""Numbers of hands queried; fewer are faster but give a weaker bound."""
_BLOCKS = 30
"""Minimum number of blocks for a meaningful standard error."""
_TRIAL_SHARE = 0.4
"""Share of the time in which the best response is chosen."""
_TRIAL_BLOCKS = 10
"""Minimum number of blocks of each response for the choice."""
_OTHER_CARDS = 1 << 30
"""First block of those on which it is chosen; no bound plays as many."""
_AT_ONCE = 1000
"""Blocks between which measuring a bound again can be interrupted."""
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
    """Bound from the best of several local best responses and of the anchors.

    The best is the one with the highest mean minus its standard error on cards of its own, so that
    the choice does not bias the bound. For a slow player, fewer hands are queried, then sessions
    have a single hand and only one menu is tried: the bound remains valid, but is weaker and has a
    larger error.

    Args:
        player: A compiled player, or one that reports its probabilities.
        suite: A heads-up suite with a cash game; others have no bound.
        seed: Seed of the cards and of the player's random numbers.
        seconds: Time limit for the choice and the bound.
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
    by = [*(menu.name for menu in plan.menus), *suite.anchors]
    trial = _TRIAL_SHARE * seconds / len(by)
    trials = [_bound(player, suite, plan, name, seed, trial, _OTHER_CARDS) for name in by]
    best = max(trials, key=lambda bound: bound.value - bound.error)
    return _bound(player, suite, plan, best.by, seed, (1.0 - _TRIAL_SHARE) * seconds)


def _plans(game: Game) -> Iterator[_Plan]:
    """Plans for measuring, the most thorough one first."""
    single = replace(game, num_hands=1)
    yield from (_Plan(USUAL_MENUS, game, asked) for asked in _ASKED)
    yield _Plan(USUAL_MENUS[1:2], game, _ASKED[-1])
    yield _Plan(USUAL_MENUS[1:2], single, _ASKED[-1])


def _bound(
    player: Any, suite: Suite, plan: _Plan, by: str, seed: int, seconds: float, start: int = 0
) -> Bound:
    """Bound from one response in the given time, from the given block on."""
    parts: list[Tally] = []
    played, count, end = 0, 1, time.monotonic() + seconds
    least = _TRIAL_BLOCKS if start else _BLOCKS
    while played < least or time.monotonic() < end:
        began = time.monotonic()
        blocks = Blocks(count, start + played)
        parts.append(_play(player, suite, by, blocks, plan.game, plan.asked, seed))
        played += count
        if time.monotonic() - began < seconds / 20:
            count *= 2
    return _bound_from(parts, by, plan.asked, plan.game)


def _play(
    player: Any, suite: Suite, by: str, blocks: Blocks, game: Game, asked: int, seed: int
) -> Tally:
    """Blocks of a player and a response, an anchor or a menu, in this order."""
    if by in suite.anchors:
        # AIVAT would ask a player in Python about all of its hands at every decision.
        reduction = suite.variance_reduction if isinstance(player, CompiledPlayer) else "none"
        players = [player, find_anchor(by)]
        return play(players, blocks, game, seed=seed, variance_reduction=reduction)
    return LocalBestResponse(_MENU_BY_NAME[by], asked)([player], blocks, game, seed=seed)


def _bound_from(parts: Sequence[Tally], by: str, asked: int, game: Game) -> Bound:
    tally = reduce(Tally.__add__, parts)
    session = game.hands_limit
    in_unit = 100.0 / (2 * session)
    value, error = float(tally.scores[1]) * in_unit, float(tally.errors[1]) * in_unit
    return Bound(by, value, error, tally.hands, asked, session)


def bound_again(player: CompiledPlayer, suite: Suite, bound: Bound, *, seed: int) -> Bound:
    """A bound of a card, measured again with its response and its number of hands.

    Raises:
        ValueError: No measurement in this suite has such a bound.
    """
    by = one_of("by", bound.by, (*_MENU_BY_NAME, *suite.anchors))
    if suite.seats != 2 or not suite.game.is_cash:
        raise ValueError(f"the suite {suite.name} has no bounds")
    if bound.session not in (1, suite.game.hands_limit):
        raise ValueError(f"session must be 1 or {suite.game.hands_limit}; got {bound.session}")
    blocks, rest = divmod(bound.hands, 2 * bound.session)
    if rest or blocks < _BLOCKS:
        raise ValueError(
            f"hands must be at least {_BLOCKS} blocks of {2 * bound.session}; got {bound.hands}"
        )
    if bound.asked not in _ASKED:  # only local best responses ask
        raise ValueError(f"asked must be one of {', '.join(map(str, _ASKED))}; got {bound.asked}")
    game = replace(suite.game, num_hands=bound.session)
    parts = [
        _play(
            *(player, suite, by, Blocks(min(_AT_ONCE, blocks - first), first)),
            *(game, bound.asked, seed),
        )
        for first in range(0, blocks, _AT_ONCE)
    ]
    return _bound_from(parts, by, bound.asked, game)


def _as_time(seconds: float) -> str:
    return f"{seconds:.1f} seconds" if seconds < 120 else f"{seconds / 60:,.0f} minutes"
