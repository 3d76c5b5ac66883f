"""Costs of decisions, by play-outs of every action with sampled hidden cards.

A model, any compiled player, stands for all players of the hand. It gives the opponents' ranges, by
the probability of their actions with each hand, and it plays the rest of the hand in every seat.
The value of an action is the mean result of such play-outs, so a cost is relative to the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from agents.coach.deals import draw_deals
from agents.coach.equilibrium import EquilibriumCheck, check_decisions
from agents.coach.play_outs import Deals, play_actions
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.hand_replay import HandReplay
from nlhe_env.arguments import number, whole_number
from nlhe_env.assessment.estimators.estimator import no_estimator
from nlhe_env.cards import parse_cards
from nlhe_env.game import betting
from nlhe_env.game.description import GameArrays
from nlhe_env.game.player import PLAYER
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import ACTIVE, ALL_IN, CHECK_OR_CALL, FOLD, STREET_NAMES, TableRecords
from nlhe_env.game.tournament import GAME
from nlhe_env.hand_history import Hand
from nlhe_env.hand_history.record import CALL, RAISE
from nlhe_env.jit.array_types import F64, Int
from nlhe_env.jit.compilation import kernel

_POT_SHARES = (0.5, 1.0)
"""Raise sizes tried in addition to the actual raise and all-in."""

_TREMBLE = 0.05
"""Share of opponents' actions taken as uninformative, because the model is not the player."""


class ActionValue(NamedTuple):
    """An action and its value."""

    action: str
    """Action, such as ``"fold"``, ``"check"`` or ``"raise to 300"``."""
    value: float
    """Mean win over the whole hand in big blinds."""
    error: float
    """Standard error of the value."""


class CoachedDecision(NamedTuple):
    """A decision with the values of its alternatives."""

    hand: int
    """Index of the hand."""
    decision: int
    """Index of the action in the hand."""
    street: str
    hole_cards: str
    board: str
    taken: str
    """The action that was taken."""
    values: tuple[ActionValue, ...]
    """Values of all tried actions, the best first; standard errors are of single values."""
    best: str
    """The action with the largest win in one half of the deals."""
    cost: float
    """Loss against the best action in big blinds, estimated without bias from the other half of the
    deals, so that it may be negative. 0 if the best action was taken."""
    error: float
    """Standard error of the cost."""
    equilibrium: EquilibriumCheck | None = None
    """The decision in an equilibrium of its street; None if the street was not solved."""


def known_players(hands: Sequence[Hand]) -> dict[str, int]:
    """Number of hands with known hole cards by player, most hands first."""
    known = Counter(
        name
        for hand in hands
        for name, cards in zip(hand.players, hand.hole_cards, strict=False)
        if name and cards
    )
    return dict(known.most_common())


def coach(
    hands: Sequence[Hand],
    player: str,
    model: CompiledPlayer,
    *,
    deals: int = 400,
    solver_seconds: float = 0.0,
    seed: int = 1,
) -> Iterator[CoachedDecision]:
    """Evaluate the decisions of a player, in the order of play.

    Args:
        hands: Recorded hands; those without the player, or without its hole cards, are skipped.
        player: Name of the player.
        model: Compiled player that models all players of the hands. It starts every hand without
            memory of earlier ones.
        deals: Number of deals per decision, at least 4.
        solver_seconds: Time to solve each turn and river between two players; 0 for none.
        seed: Seed of the deals.

    Yields:
        A result for each decision with more than one action.

    Raises:
        ValueError: No hand has the player, or the model does not support the game.
    """
    whole_number("deals", deals, least=4)
    number("solver_seconds", solver_seconds, least=0.0)
    names = {name for hand in hands for name in hand.players if name}
    if player not in names:
        known = ", ".join(sorted(names)) or "none"
        raise ValueError(f"no hand has a player {player!r}; the players named are: {known}")
    for index, hand in enumerate(hands):
        if player in hand.players:
            place = hand.players.index(player)
            if hand.hole_cards[place]:
                found, replay = _coach_hand(index, hand, place, model, deals, seed)
                checks: dict[int, EquilibriumCheck] = {}
                if solver_seconds > 0.0:
                    checks = check_decisions(
                        hand, place, replay, seconds=solver_seconds, tremble=_TREMBLE
                    )
                yield from (one._replace(equilibrium=checks.get(one.decision)) for one in found)


def _coach_hand(
    index: int, hand: Hand, place: int, model: CompiledPlayer, deals: int, seed: int
) -> tuple[list[CoachedDecision], HandReplay]:
    """Decisions of a hand, and the replay of the hand with the model."""
    found: list[CoachedDecision] = []
    count = 0

    def look(replay: HandReplay) -> None:
        nonlocal count
        if count == 0 and model.kind.checks is not None:
            model.kind.checks(np.atleast_1d(replay.table))
        if int(replay.table["actor"]) == place:
            found.extend(_coach_decision(replay, hand, index, count, deals=deals, seed=seed))
        count += 1

    return found, HandReplay(model, hand, before_action=look)


def _coach_decision(
    replay: HandReplay, hand: Hand, index: int, count: int, *, deals: int, seed: int
) -> Iterator[CoachedDecision]:
    table = replay.table
    made = hand.actions[count]
    taken = _number(made.kind, made.to)
    actions = _actions(table, taken)
    if len(actions) < 2:
        return
    won = _play_out(replay, hand, actions, deals=deals, rng_key=(seed, index, count))
    won /= hand.big_blind
    half = len(won) // 2
    chosen, counted = won[:half], won[half:]
    best = int(chosen.mean(axis=0).argmax())
    lost = counted[:, best] - counted[:, actions.index(taken)]
    values = [
        ActionValue(_words(table, action), float(column.mean()), _error(column))
        for action, column in zip(actions, won.T, strict=True)
    ]
    yield CoachedDecision(
        hand=index,
        decision=count,
        street=STREET_NAMES[int(table["street"])],
        hole_cards=hand.hole_cards[int(table["actor"])],
        board=hand.board[: 2 * int(table["board_cards"])],
        taken=_words(table, taken),
        values=tuple(sorted(values, key=lambda one: -one.value)),
        best=_words(table, actions[best]),
        cost=float(lost.mean()),
        error=_error(lost),
    )


def _play_out(
    replay: HandReplay,
    hand: Hand,
    actions: Sequence[int],
    *,
    deals: int,
    rng_key: tuple[int, int, int],
) -> F64:
    """``(deals, n_actions)`` chips won in the hand by the player to act."""
    snapshot = replay.snapshot()
    table = snapshot.table[0]
    place, n = int(table["actor"]), len(hand.stacks)
    status = table["status"][:n]
    rivals = [seat for seat in range(n) if seat != place and status[seat] in (ACTIVE, ALL_IN)]
    after_all = len(STREET_NAMES)  # include all decisions so far
    ranges = [replay.reach(seat, after_all, _TREMBLE) for seat in rivals]
    board = hand.board[: 2 * int(table["board_cards"])]
    holes, boards = draw_deals(
        parse_cards(hand.hole_cards[place]),
        parse_cards(board),
        ranges,
        deals,
        np.random.default_rng(rng_key),
    )
    game = np.zeros(1, GAME)
    game["players"], game["tables"], game["cash"] = n, 1, 1
    game["decision_seed"] = make_seed(rng_key[0])
    levels = np.zeros((1, 3), np.int64)
    arrays = GameArrays(game, snapshot.table.copy(), np.zeros(n, PLAYER), levels)
    won = np.zeros((deals, len(actions)))
    unknown = Deals(np.array(rivals, np.int64), holes, boards)
    play_actions(
        snapshot,
        unknown,
        np.array(actions, np.int64),
        arrays,
        replay.seated,
        no_estimator(n),
        won,
    )
    replay.seated.work.memory[:] = snapshot.memory
    return won


def _actions(table: np.void, taken: int) -> list[int]:
    """Actions to try: fold, call, the actual raise and other raises."""
    record = np.atleast_1d(table)
    to_call, least, most = map(int, _limits(record))
    actions = {CHECK_OR_CALL, taken}
    if to_call > 0:
        actions.add(FOLD)
    if most > 0:
        pot = int(table["pot"]) + to_call
        sizes = [int(table["current_bet"]) + round(share * pot) for share in _POT_SHARES]
        actions.update(min(max(size, least), most) for size in (*sizes, most))
    return sorted(actions)


@kernel
def _limits(tables: TableRecords) -> tuple[Int, Int, Int]:
    """Chips to call, and minimum and maximum raise, both 0 if no raise is legal."""
    least, most = betting.legal_raise(tables[0])
    return betting.amount_to_call(tables[0]), least, most


def _number(kind: str, to: int) -> int:
    return to if kind == RAISE else CHECK_OR_CALL if kind == CALL else FOLD


def _words(table: np.void, action: int) -> str:
    if action == FOLD:
        return "fold"
    bets = int(table["current_bet"])
    if action == CHECK_OR_CALL:
        place = int(table["actor"])
        return "call" if bets > int(table["street_bet"][place]) else "check"
    return f"raise to {action}" if bets > 0 else f"bet {action}"


def _error(values: F64) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))
