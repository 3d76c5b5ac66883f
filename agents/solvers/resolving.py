"""A player that follows a blueprint, and solves the river anew when it gets there.

With which hands the two reach the river follows from the blueprint: from the chances with which
it would have done with each hand what was done. From there on the hand is solved without merging
any cards, with the sizes that were really bet (compare S. Ganzfried, T. Sandholm, "Endgame Solving
in Large Imperfect-Information Games", AAMAS 2015). Nothing binds the answer to what the blueprint
promised the other player, so that it can be worse against one who knows it; measure.
"""

from __future__ import annotations

import numpy as np

from agents.external import chips
from agents.external.chips import ChipPlayer, Turn, chips_id_of, is_legal
from agents.external.hooks import Event
from agents.players.blueprint.player import BlueprintPlayer
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.hand_replay import HandReplay
from agents.solvers.regret_minimisation import Solver
from agents.solvers.solution import Solution
from agents.solvers.subgame_from_hand import StreetSubgame, find_street
from agents.solvers.subgames import Subgame
from agents.solvers.turn_to_hand import hand_from_turn
from nlhe_env.arguments import number, whole_number
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.random_stream import decision_units, make_seed
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, RIVER
from nlhe_env.hand_history import Hand
from nlhe_env.jit.array_types import F64

_MENUS = ("50%, pot, all-in", "pot, all-in", "all-in")
"""The first that is small enough is taken."""
_MOST_NUMBERS = 1_000_000
"""Numbers of a tree, at most: an iteration takes about four milliseconds then."""


class RiverSolver(ChipPlayer):
    """Plays by a blueprint up to the turn, and by a solution of its own on the river.

    The same cards, actions and seed give the same decisions: it counts iterations, not seconds. A
    decision on the river takes about half a second at most with the usual number. Games with
    ``two_calls`` it cannot play: it raises ``ValueError`` when a street goes on after a call.

    Args:
        blueprint: A player such as ``agents.make("equilibrium-nolimit")``.
        iterations: Iterations of regret minimisation, for every decision on the river.
        tremble: Share of cases in which the other player is assumed to act regardless of its
            cards, so that nothing it does is impossible.

    Raises:
        ValueError: A number is out of range, or the player follows no blueprint.
    """

    def __init__(
        self, blueprint: CompiledPlayer, *, iterations: int = 120, tremble: float = 0.02
    ) -> None:
        if not isinstance(blueprint, BlueprintPlayer):
            raise ValueError(
                f"blueprint must be a player such as equilibrium-nolimit; got {blueprint!r}"
            )
        self.iterations = whole_number("iterations", iterations, least=1)
        self.tremble = number("tremble", tremble, least=0, most=1)
        self.name = blueprint.name
        self._blueprint = blueprint
        self._stream = (0, 0, 0)
        self._betting = "no-limit"
        self._solved: tuple[Subgame, Solution] | None = None
        self._last: tuple[Turn, dict[int, float]] | None = None

    def begin(self, seed: int, player: int, episode: int = 0) -> None:
        """Take a seat, as ``CompiledPlayer.begin``."""
        self._stream = (make_seed(seed), player, episode)

    def on_episode_start(self, event: Event) -> None:
        """See ``agents.external.hooks``."""
        self._betting = event["betting"]

    def decide(self, turn: Turn) -> int:
        """See ``ChipPlayer``."""
        weights = self._weights(turn)
        seed, player, episode = self._stream
        u, _, _ = decision_units(
            np.uint64(seed), turn["decision"], turn["hand_number"], player, episode
        )
        left = u * sum(weights.values())
        for action, weight in weights.items():
            left -= weight
            if left < 0:
                return action
        return action

    def chances(self, turn: Turn) -> dict[int, float]:
        """Its action probabilities, for AIVAT."""
        weights = self._weights(turn)
        total = sum(weights.values())
        return {action: weight / total for action, weight in weights.items()}

    def _weights(self, turn: Turn) -> dict[int, float]:
        if self._last is None or self._last[0] != turn:
            self._last = turn, self._find_weights(turn)
        return self._last[1]

    def _find_weights(self, turn: Turn) -> dict[int, float]:
        """Ids in chips of legal actions, and their weights."""
        hand = hand_from_turn(turn, self._betting)
        replay = HandReplay(self._blueprint, hand, number=turn["hand_number"])
        solvable = turn["street"] == "river" and len(hand.stacks) == 2
        solved = self._solve(replay, hand) if solvable else None
        weights: dict[int, float] = {}
        for action, weight in solved or replay.choices():
            if weight > 0:
                action_id = chips_id_of(action)
                legal = action_id if is_legal(turn, action_id) else chips.CHECK_OR_CALL
                weights[legal] = weights.get(legal, 0.0) + weight
        return weights

    def _solve(self, replay: HandReplay, hand: Hand) -> list[tuple[int, float]] | None:
        """Actions and weights of the solution; None if the tree is too large, for example."""
        try:
            street = find_street(hand, "river")
        except ValueError:
            return None
        me = int(replay.table["actor"])
        first, second = (
            hands_at(replay.reach(seat, RIVER, 0.0 if seat == me else self.tremble))
            for seat in street.seats
        )
        if first is None or second is None:
            return None
        spot = _small_enough(street, hand, (first, second))
        mine = None if spot is None else spot.column(street.seats.index(me), hand.hole_cards[me])
        if spot is None or mine is None:
            return None
        solution = self._solution(spot)
        try:
            decision = solution.at(*street.steps)
        except ValueError:  # a bet that is only near one of the menu
            return None
        chances = decision.chances[:, mine].tolist()
        return list(zip(map(_action, decision.actions), chances, strict=True))

    def _solution(self, spot: Subgame) -> Solution:
        """Solved now, or for the decision before."""
        if self._solved is None or self._solved[0] != spot:
            solver = Solver(spot.game())
            solver.run(self.iterations)
            self._solved = spot, Solution(solver.game, solver.strategy, solver.iterations)
        return self._solved[1]


def _small_enough(street: StreetSubgame, hand: Hand, ranges: tuple[Range, Range]) -> Subgame | None:
    """The spot with the richest menu that is solved in time."""
    for menu in _MENUS:
        # The blueprint knows no other limit than this.
        spot = street.spot(hand, ranges, menu, max_bets=USUAL_MAX_BETS)
        if spot.size().numbers <= _MOST_NUMBERS:
            return spot
    return None


def hands_at(reach: F64) -> Range | None:
    """Hands that reach a street; None if none does."""
    possible = reach > 0
    if not possible.any():
        return None
    return Range(HOLES[possible], reach[possible] / reach.max())


def _action(words: str) -> int:
    """The action of the game for words such as ``"raise to 300"``."""
    if words == "fold":
        return FOLD
    return CHECK_OR_CALL if words in ("check", "call") else int(words.rsplit(maxsplit=1)[-1])
