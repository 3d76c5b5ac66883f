"""A player that follows a blueprint, and solves the river anew when it gets there.

With which hands the two reach the river follows from the blueprint: from the chances with which
it would have done with each hand what was done. From there on the hand is solved without merging
any cards, with the sizes that were really bet (compare S. Ganzfried, T. Sandholm, "Endgame Solving
in Large Imperfect-Information Games", AAMAS 2015). Nothing binds the answer to what the blueprint
promised the other player, so that it can be worse against one who knows it; measure.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

import numpy as np

from agents.external import chips
from agents.external.chips import ChipPlayer, Turn, chips_id_of, is_legal
from agents.external.hooks import Event
from agents.players.blueprint.player import BlueprintPlayer
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.hand_replay import HandReplay
from agents.solvers.gadget import Gadget
from agents.solvers.public_game import PublicGame
from agents.solvers.regret_minimisation import Solver
from agents.solvers.solution import Solution, SolvedDecision
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
from nlhe_env.jit.array_types import F64, I64

_MENUS = ("50%, pot, all-in", "pot, all-in", "all-in")
"""The first that is small enough is taken."""
_MOST_NUMBERS = 1_000_000
"""Numbers of a tree, at most: an iteration takes about four milliseconds then."""
_KEPT = 4
"""Solutions that are kept, the last used: those of bets that a best response tries, too."""


class Looked(NamedTuple):
    """What a player has found for a decision."""

    replay: HandReplay
    """The hand, replayed with the blueprint."""
    spot: Subgame | None
    """Subgame that was solved, if any."""
    decision: SolvedDecision | None


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
        self._solved: OrderedDict[Hashable, Solution] = OrderedDict()
        self._last: tuple[Turn, Looked] | None = None

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
        left = u * math.fsum(weights.values())
        for action, weight in weights.items():
            left -= weight
            if left < 0:
                return action
        return action

    def chances(self, turn: Turn) -> dict[int, float]:
        """Its action probabilities, for AIVAT."""
        weights = self._weights(turn)
        total = math.fsum(weights.values())
        return {action: weight / total for action, weight in weights.items()}

    def chances_of_hands(self, turn: Turn) -> dict[int, F64]:
        """Its action probabilities with every hand that it could hold, for best responses.

        Returns:
            For each id in chips ``(1326,)``, the hand of cards a > b at C(a, 2) + b. With cards of
            the board they mean nothing.
        """
        looked = self._looked(turn)
        found = looked.replay.choices_of_hands()
        if looked.decision is not None and looked.spot is not None:
            numbers = hand_numbers(looked.spot.hands(looked.decision.player))
            # As when it decides: what is not in the range is played by the blueprint.
            for chances in found.values():
                chances[numbers] = 0.0
            for words, row in zip(looked.decision.actions, looked.decision.chances, strict=True):
                found.setdefault(_action(words), np.zeros(len(HOLES)))[numbers] = row
        by_id: dict[int, F64] = {}
        for action, chances in found.items():
            action_id = _legal_id(turn, action)
            by_id[action_id] = by_id.get(action_id, 0.0) + chances
        return by_id

    def _weights(self, turn: Turn) -> dict[int, float]:
        """Ids in chips of legal actions, and their weights."""
        looked = self._looked(turn)
        found = _with_cards(looked, turn["hole_cards"]) or looked.replay.choices()
        weights: dict[int, float] = {}
        for action, weight in found:
            if weight > 0:
                action_id = _legal_id(turn, action)
                weights[action_id] = weights.get(action_id, 0.0) + weight
        return weights

    def _looked(self, turn: Turn) -> Looked:
        if self._last is None or self._last[0] != turn:
            hand = hand_from_turn(turn, self._betting)
            replay = HandReplay(self._blueprint, hand, number=turn["hand_number"])
            found = self._find(turn, hand, replay) if len(hand.stacks) == 2 else None
            self._last = turn, Looked(replay, *(found or (None, None)))
        return self._last[1]

    def _find(
        self, turn: Turn, hand: Hand, replay: HandReplay
    ) -> tuple[Subgame, SolvedDecision] | None:
        """Subgame solved for a decision, and its solution there; None if the blueprint plays on."""
        if turn["street"] != "river":
            return None
        try:
            street = find_street(hand, "river")
        except ValueError:
            return None
        me = int(replay.table["actor"])
        first, second = (
            hands_at(replay.reach(seat, RIVER, 0.0 if seat == me else self.tremble))
            for seat in street.seats
        )
        return self._solve_river(hand, street, (first, second))

    def _solve_river(
        self, hand: Hand, street: StreetSubgame, ranges: tuple[Range | None, Range | None]
    ) -> tuple[Subgame, SolvedDecision] | None:
        first, second = ranges
        if first is None or second is None:
            return None
        spot = small_enough(street, hand, (first, second))
        return None if spot is None else self._decision(spot, street)

    def _decision(
        self, spot: Subgame, street: StreetSubgame
    ) -> tuple[Subgame, SolvedDecision] | None:
        """The decision after what was done on the street."""
        solution = self._kept(spot, lambda: solved(spot.game(), self.iterations))
        return spot, solution.at(*street.steps)

    def _kept(self, key: Hashable, solve: Callable[[], Solution]) -> Solution:
        """Solved now, or for a decision before."""
        if key not in self._solved:
            self._solved[key] = solve()
            if len(self._solved) > _KEPT:
                self._solved.popitem(last=False)
        self._solved.move_to_end(key)
        return self._solved[key]


def solved(game: PublicGame, iterations: int, gadget: Gadget | None = None) -> Solution:
    """The average strategies after some iterations."""
    solver = Solver(game, gadget=gadget)
    solver.run(iterations)
    return Solution(game, solver.strategy, iterations)


def _with_cards(looked: Looked, cards: str) -> list[tuple[int, float]] | None:
    """Actions and weights of a solution with some cards; None if it does not have them."""
    if looked.decision is None or looked.spot is None:
        return None
    mine = looked.spot.column(looked.decision.player, cards)
    if mine is None:
        return None
    chances = looked.decision.chances[:, mine].tolist()
    return list(zip(map(_action, looked.decision.actions), chances, strict=True))


def _legal_id(turn: Turn, action: int) -> int:
    """The id in chips of an action, or to check or call where it is not legal."""
    action_id = chips_id_of(action)
    return action_id if is_legal(turn, action_id) else chips.CHECK_OR_CALL


def small_enough(street: StreetSubgame, hand: Hand, ranges: tuple[Range, Range]) -> Subgame | None:
    """The spot with the richest menu that is solved in time."""
    for menu in _MENUS:
        # The blueprint knows no other limit than this.
        spot = street.spot(hand, ranges, menu, max_bets=USUAL_MAX_BETS)
        if spot.size().numbers <= _MOST_NUMBERS:
            return spot
    return None


def hand_numbers(hands: I64) -> I64:
    """``(n,)`` numbers C(a, 2) + b of hands a > b."""
    low, high = np.sort(hands, axis=1).T
    numbers: I64 = high * (high - 1) // 2 + low
    return numbers


def hands_at(reach: F64, least: float = 0.0) -> Range | None:
    """Hands that reach a street; None if none does.

    Args:
        reach: ``(1326,)`` reach probabilities.
        least: Share of the greatest below which a hand is left out.
    """
    possible = (reach > 0) & (reach >= least * reach.max())
    if not possible.any():
        return None
    return Range(HOLES[possible], reach[possible] / reach.max())


def _action(words: str) -> int:
    """The action of the game for words such as ``"raise to 300"``."""
    if words == "fold":
        return FOLD
    return CHECK_OR_CALL if words in ("check", "call") else int(words.rsplit(maxsplit=1)[-1])
