"""A player that follows a blueprint, and solves the turn and the river anew.

The turn is solved with one size, and all rivers with it. If the other player then bets another
size, the rest is solved again with that size there. On the river the ranges follow from the
solution of the turn, and the street is solved again with more sizes. Both are bound by what the
other player's hands win of the solution that was followed before (see ``gadget``): so they are no
worse than that. What the blueprint promised on earlier streets binds nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.external.chips import Turn
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.hand_replay import HandReplay
from agents.solvers.gadget import Gadget
from agents.solvers.resolving import RiverSolver, hand_numbers, hands_at, small_enough, solved
from agents.solvers.solution import Solution, SolvedDecision
from agents.solvers.subgame_from_hand import StreetSubgame, find_street
from agents.solvers.subgames import Subgame
from agents.solvers.walk import BEST
from nlhe_env.arguments import number, whole_number
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.table import TURN
from nlhe_env.hand_history import Hand
from nlhe_env.jit.array_types import I64, AnyArray

_MENUS = (("75%", "75%"), ("75%", "150%"), ("pot", "200%"), ("all-in", "all-in"))
"""Sizes of bets and of raises; the first that is small enough is taken."""
_SECONDS = 1.2
"""Time of all iterations on the turn by ``SubgameSize.seconds``, the same on every machine."""
_MOST_ITERATIONS = 4
"""Times as many iterations where the turn is small."""


class SolvedTurn(NamedTuple):
    """The turn as solved, from some steps on."""

    spot: Subgame
    solution: Solution
    steps: tuple[int, ...] = ()
    """What was done before."""

    def after(self, actions: tuple[int, ...]) -> int | None:
        """The node after all that was done on the turn; None if the solution does not have it."""
        return self.solution.game.tree.after(actions[len(self.steps) :])


class TurnSolver(RiverSolver):
    """Plays by a blueprint up to the flop, and by solutions of its own from the turn on.

    As ``RiverSolver``. A decision on the turn takes one to three seconds, by an estimate, unless a
    solution for an earlier one has it.

    Args:
        blueprint: A player such as ``agents.make("equilibrium-nolimit")``.
        turn_iterations: Fewest iterations of regret minimisation on the turn; up to four times as
            many where there is time for them.
        least: Hands that come to the turn with less than this share of the greatest reach are left
            out; with those of its own, it plays by the blueprint.
        iterations: Iterations on the river.
        tremble: As of ``RiverSolver``.

    Raises:
        ValueError: A number is out of range, or the player follows no blueprint.
    """

    def __init__(
        self,
        blueprint: CompiledPlayer,
        *,
        turn_iterations: int = 40,
        least: float = 0.05,
        iterations: int = 120,
        tremble: float = 0.02,
    ) -> None:
        super().__init__(blueprint, iterations=iterations, tremble=tremble)
        self.turn_iterations = whole_number("turn_iterations", turn_iterations, least=1)
        self.least = number("least", least, least=0, most=1)

    def _find(
        self, turn: Turn, hand: Hand, replay: HandReplay
    ) -> tuple[Subgame, SolvedDecision] | None:
        if turn["street"] not in ("turn", "river"):
            return None
        try:
            street = find_street(hand, "turn")
        except ValueError:
            return super()._find(turn, hand, replay)
        me = street.seats.index(int(replay.table["actor"]))
        reaches = [
            replay.reach(seat, TURN, 0.0 if place == me else self.tremble)
            for place, seat in enumerate(street.seats)
        ]
        first, second = (hands_at(reach, self.least) for reach in reaches)
        found = None
        if first is not None and second is not None:
            found = self._solve_turn(hand, street, (first, second), me)
        if found is None:
            return super()._find(turn, hand, replay)
        if turn["street"] == "turn":
            return found.spot, found.solution.at(*street.steps[len(found.steps) :])
        return self._find_on_river(hand, street, found, me)

    def _small_enough(
        self, hand: Hand, street: StreetSubgame, ranges: tuple[Range, Range]
    ) -> Subgame | None:
        """The turn with the richest menu that is solved in time."""
        for bets, raises in _MENUS:
            spot = street.spot(hand, ranges, bets, raises, later=False, max_bets=USUAL_MAX_BETS)
            try:
                if spot.size().seconds * self.turn_iterations <= _SECONDS:
                    return spot
            except ValueError:  # larger than can be counted
                continue
        return None

    def _solve_turn(
        self, hand: Hand, street: StreetSubgame, ranges: tuple[Range, Range], me: int
    ) -> SolvedTurn | None:
        """What is solved of the turn for all that was done on it; None if it is too large."""
        actions = street.actions
        own = range(me, len(actions), 2)  # player 0 acts first, and players take turns
        earlier = None
        if own:
            earlier = self._solve_turn(hand, street.until(own[-1]), ranges, me)
            if earlier is not None and earlier.after(actions) is not None:
                return earlier
        spot = self._small_enough(hand, street, ranges)
        if spot is None:
            return None
        if earlier is not None and own:
            # The other player has bet a size that the earlier tree did not have.
            rest = self._solve_rest(spot, actions[: own[-1] + 1], earlier, me)
            if rest is not None:
                return rest
        seconds = spot.size().seconds
        solution = self._kept(spot, lambda: solved(spot.game(), self._iterations(seconds)))
        return SolvedTurn(spot, solution)

    def _solve_rest(
        self, spot: Subgame, steps: tuple[int, ...], earlier: SolvedTurn, me: int
    ) -> SolvedTurn | None:
        """The turn from the other player's decision on, bound by the earlier solution.

        None if that does not come there.
        """
        before, at = earlier.solution, earlier.after(steps)
        if at is None:
            return None
        reaches = self._reaches(before, at, me)
        if not reaches[0].any() or not reaches[1].any():
            return None

        def solve_rest() -> Solution:
            whole = spot.game()
            node = whole.tree.after(steps)
            assert node is not None  # it has all that was done
            rest = whole.subgame(node, reaches)
            seconds = spot.size().seconds * len(rest.tree.kind) / len(whole.tree.kind)
            gadget = Gadget(me, _values(before, at, reaches, 1 - me))
            return solved(rest, self._iterations(seconds), gadget)

        return SolvedTurn(spot, self._kept((spot, steps), solve_rest), steps)

    def _iterations(self, seconds: float) -> int:
        """Iterations on the turn, if one takes so long."""
        in_time = int(_SECONDS / seconds)
        return min(max(in_time, self.turn_iterations), _MOST_ITERATIONS * self.turn_iterations)

    def _reaches(self, solution: Solution, node: int, me: int) -> list[AnyArray]:
        """Reach probabilities at a node; the other player may have come there by mistake."""
        found = solution.game.reaches(solution.strategy, node, self.tremble)
        found[me] = solution.game.reaches(solution.strategy, node)[me]
        return found

    def _find_on_river(
        self, hand: Hand, street: StreetSubgame, turn: SolvedTurn, me: int
    ) -> tuple[Subgame, SolvedDecision] | None:
        """The river, with the ranges and the values of the solution of the turn."""
        river = find_street(hand, "river")
        node = turn.solution.node(*street.steps[len(turn.steps) :], hand.board[8:10])
        reaches = self._reaches(turn.solution, node, me)
        first, second = (
            _range_of(turn.spot.hands(player), reach) for player, reach in enumerate(reaches)
        )
        if first is None or second is None:
            return None
        spot = small_enough(river, hand, (first, second))
        if spot is None:
            return None

        def solve_river() -> Solution:
            values = _values(turn.solution, node, reaches, 1 - me)
            columns = _columns(turn.spot.hands(1 - me), spot.hands(1 - me))
            # Weights of a range are shares of the greatest.
            gadget = Gadget(me, values[columns] / reaches[me].max())
            return solved(spot.game(), self.iterations, gadget)

        solution = self._kept(spot, solve_river)
        return spot, solution.at(*river.steps)


def _values(solution: Solution, node: int, reaches: list[AnyArray], player: int) -> AnyArray:
    """``(n,)`` what the hands of a player win at a node with best responses to the solution."""
    game = solution.game
    rest = game.subgame(node, reaches)
    return rest.values(solution.strategy[game.rows_below(node)], player, BEST)


def _range_of(hands: I64, reach: AnyArray) -> Range | None:
    """The range of some hands; None if none gets there."""
    possible = reach[: len(hands)] > 0
    if not possible.any():
        return None
    weights = reach[: len(hands)][possible].astype(np.float64)
    return Range(hands[possible], weights / weights.max())


def _columns(hands: I64, wanted: I64) -> I64:
    """``(n,)`` places of wanted hands among others."""
    place = {number: i for i, number in enumerate(hand_numbers(hands).tolist())}
    return np.array([place[number] for number in hand_numbers(wanted).tolist()], np.int64)
