"""Hand history that leads to an observed turn.

A turn says what was done and what each has put in, but neither who straddles nor who pays the
ante. Both follow from it: a straddle changes who acts first, an ante what each has put in. So every
way to begin the hand is tried, and only the right one leads to the table of the turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agents.external.chips import Turn
from nlhe_env.game.betting import STRADDLE, USUAL_MAX_BETS
from nlhe_env.hand_history import Hand
from nlhe_env.hand_history.batches import pack, play_packed
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action, unusual_cap

_KINDS = {"fold": FOLD, "check": CALL, "call": CALL, "raise": RAISE}
_CARDS_OF_STREETS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


def hand_from_turn(turn: Turn, betting: str) -> Hand:
    """The hand so far, with the blinds, straddle and antes of the table.

    Args:
        turn: With a history.
        betting: ``"no-limit"``, ``"pot-limit"`` or ``"fixed-limit"``.

    Raises:
        ValueError: The turn does not say what was done, or that is not possible by the rules
            that hands are written by, such as in games with ``two_calls``.
    """
    if turn.get("history") is None:
        raise ValueError("solving needs the earlier actions: seat the player with play_episode")
    seats = _in_order(turn)
    hands = list(_beginnings(_written(turn, betting, seats)))
    played = play_packed(pack(hands, check=False))
    for hand, table, fits in zip(hands, played.tables, played.fits.tolist(), strict=True):
        if fits and _is_table_of(table, turn, seats):
            return hand
    raise ValueError(
        "players that solve need games in which a called bet ends the betting of a street (no "
        "two_calls); the actions of this hand do not lead to the table of the turn"
    )


def _in_order(turn: Turn) -> list[int]:
    """The seats that were dealt in, left of the button first."""
    seats = [i for i, seat in enumerate(turn["seats"]) if seat and seat["state"] != "out"]
    n_seats = len(turn["seats"])
    return sorted(seats, key=lambda seat: (seat - turn["button"] - 1) % n_seats)


def _written(turn: Turn, betting: str, seats: list[int]) -> Hand:
    """The hand with the usual blinds, and antes of all players."""
    held = [turn["seats"][seat] for seat in seats]
    actions = [
        Action(
            seats.index(event["seat"]),
            _KINDS[event["action"]],
            event.get("to", 0),
            _CARDS_OF_STREETS[event["street"]],
        )
        for event in turn["history"]
    ]
    return Hand(
        stacks=tuple(seat["stack"] + seat["in_pot"] for seat in held),
        hole_cards=tuple(turn["hole_cards"] * (seat == turn["seat"]) for seat in seats),
        board=turn["board"],
        actions=tuple(actions),
        small_blind=turn["small_blind"],
        big_blind=turn["big_blind"],
        ante=turn["ante"],
        betting=betting,
        max_bets=_cap(turn, actions) if betting == "fixed-limit" and len(seats) > 2 else 0,
        shown=(False,) * len(seats),
        players=tuple(seat["player"] for seat in held),
        seats=tuple(range(len(seats))),
        seat_count=len(seats),
    )


def _cap(turn: Turn, actions: list[Action]) -> int:
    """The bets of a street that the game is seen to allow, as a hand holds it."""
    bets = Counter({_CARDS_OF_STREETS["preflop"]: 1})  # the big blind counts
    bets.update(action.board_cards for action in actions if action.kind == RAISE)
    bets[_CARDS_OF_STREETS[turn["street"]]] += turn["max_raise_to"] > 0
    return unusual_cap(max(USUAL_MAX_BETS, *bets.values()))


def _beginnings(hand: Hand) -> Iterator[Hand]:
    """The hand with each way to pay the ante and to straddle, the usual one first."""
    n = len(hand.stacks)
    big = 0 if n == 2 else 1
    yield from _with_straddles(hand, hand.ante)
    if hand.ante > 0:
        dead = [0] * n
        dead[big] = min(hand.ante, max(0, hand.stacks[big] - hand.big_blind))  # the blind first
        yield from _with_straddles(replace(hand, ante=0, dead=tuple(dead)), 0)


def _with_straddles(hand: Hand, ante: int) -> Iterator[Hand]:
    """The hand without a straddle, and with one of every player who may.

    Args:
        hand: Without straddles.
        ante: Chips that a straddler has paid before.
    """
    yield hand
    n, chips = len(hand.stacks), STRADDLE * hand.big_blind
    for place in sorted({2, n - 1}) if n > 2 else ():
        if hand.stacks[place] - ante >= chips:
            blinds = [hand.small_blind, hand.big_blind, *[0] * (n - 2)]
            blinds[place] = chips
            yield replace(hand, blinds=tuple(blinds))


def _is_table_of(table: np.void, turn: Turn, seats: list[int]) -> bool:
    """Whether a table is that of the turn: who is to act, and the chips of all players."""
    given = [turn["seats"][seat] for seat in seats]
    n = len(seats)
    return bool(
        table["actor"] == seats.index(turn["seat"])
        and table["stack"][:n].tolist() == [seat["stack"] for seat in given]
        and table["street_bet"][:n].tolist() == [seat["bet"] for seat in given]
    )
