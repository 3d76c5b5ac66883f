"""Recorded hands as arrays, and replay of many hands in one kernel call.

Reading a hand takes its time in Python, not in the game: a fixed-limit hand is played in two
microseconds. So hands are packed by the hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from nlhe_env.cards import N_CARDS, parse_cards
from nlhe_env.game.betting import CALLS, FOLDS, RAISES, USUAL_MAX_BETS
from nlhe_env.game.description import BETTING
from nlhe_env.game.table import MAX_SEATS, NO_PLAYER, TableRecords, empty_tables
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.record import CALL, FOLD, Hand
from nlhe_env.jit.array_types import I8, I64, Bool, Int, Records
from nlhe_env.jit.compilation import kernel

Row = tuple[int, int, int, int]
"""An action in the format of kernels, see ``rules``."""

AT_ONCE = 256
"""Number of hands packed together."""

# Numbers of the setup of a packed hand, after those of `rules.open_hand`.
SEATS, BETS, CAP, BOARDS, BOARD, END, RAKE = range(rules.FULL_RAISE + 1, rules.FULL_RAISE + 8)

# Rows of the chips of a packed hand.
STACKS, BLINDS, DEAD, ENDS = range(4)

_KINDS = {FOLD: FOLDS, CALL: CALLS}
_UNKNOWN = 255  # -1 as int8
_NOTHING = [(0,) * n for n in range(MAX_SEATS + 1)]


class Packed(NamedTuple):
    """Hands as arrays for kernels; the k-th hand in the k-th row."""

    setups: I64
    """``(n, 12)``"""
    chips: I64
    """``(n, 4, MAX_SEATS)`` stacks, blinds and dead chips as in ``rules.Opening``, and chips at the
    end as in ``rules.Ending``."""
    cards: I8
    """``(n, 52)`` decks, -1 for unknown cards."""
    actions: I64
    """``(n_actions, 4)`` concatenated actions of all hands."""
    starts: I64
    """``(n + 1,)`` first action of each hand."""

    def tables(self) -> Records:
        """Tables for the hands, before the deal."""
        tables: Records = empty_tables(len(self.setups), MAX_SEATS)
        tables["seats"] = self.setups[:, SEATS]
        tables["betting"] = self.setups[:, BETS]
        usual = np.where(self.setups[:, SEATS] == 2, 0, USUAL_MAX_BETS)
        tables["max_bets"] = np.where(self.setups[:, CAP] > 0, self.setups[:, CAP], usual)
        tables["boards"] = self.setups[:, BOARDS]
        return tables

    @property
    def known(self) -> Bool:
        """``(n, MAX_SEATS)`` whether the hole cards are known."""
        return np.asarray(self.cards[:, : 2 * MAX_SEATS : 2] >= 0)

    def rows(self, k: int) -> I64:
        """Actions of the k-th hand, ``(n_actions, 4)``."""
        return self.actions[self.starts[k] : self.starts[k + 1]]


class ReplayedHands(NamedTuple):
    """Replayed hands."""

    packed: Packed
    """The hands, with the acting players filled in."""
    tables: Records
    """The table records after them."""
    fits: Bool
    """``(n,)`` whether a hand is possible and ends as recorded."""


def pack(
    hands: Sequence[Hand],
    *,
    in_turn: Sequence[Sequence[Row] | None] | None = None,
    collected: Sequence[int] | None = None,
    check: bool = True,
) -> Packed:
    """Hands as arrays.

    Args:
        hands: Hands of any games.
        in_turn: Actions of hands without acting players: the position is ``rules.IN_TURN``, and
            raises are to total chips in the hand. None for the actions of the hand.
        collected: For a single hand, see ``replay.check_hand``.
        check: Whether hands must end as recorded.
    """
    setups: list[int] = []
    chips: list[int] = []
    cards: list[bytes] = []
    actions: list[Row] = []
    starts = [0]
    for k, hand in enumerate(hands):
        n = len(hand.stacks)
        nothing, remaining = _NOTHING[n], _NOTHING[MAX_SEATS - n]
        if not check:
            end, ends = rules.ANY_RESULT, nothing
        elif collected is not None:
            end, ends = rules.BY_WINNERS, tuple(collected)
        elif hand.finishing_stacks is not None:
            end, ends = rules.BY_STACKS, hand.finishing_stacks
        else:
            end, ends = rules.BY_THE_RULES, nothing
        setups += _opening(hand)
        setups += (
            n,
            BETTING.index(hand.betting),
            hand.max_bets,
            2 if hand.second_board else 1,
            len(hand.board) // 2,
            end,
            -1 if hand.rake is None else hand.rake,
        )
        for row in (hand.stacks, hand.blinds or nothing, hand.dead or nothing, ends):
            chips += row
            chips += remaining
        cards.append(_deck(hand))
        known = in_turn[k] if in_turn is not None else None
        if known is not None:
            actions += known
        else:
            actions += [
                (position, _KINDS.get(kind, RAISES), to, board_cards)
                for position, kind, to, board_cards in hand.actions
            ]
        starts.append(len(actions))
    return Packed(
        np.array(setups, np.int64).reshape(len(hands), RAKE + 1),
        np.array(chips, np.int64).reshape(len(hands), 4, MAX_SEATS),
        np.frombuffer(bytearray(b"".join(cards)), np.int8).reshape(len(hands), N_CARDS),
        np.array(actions, np.int64).reshape(-1, 4),
        np.array(starts, np.int64),
    )


def play_packed(packed: Packed, *, whole: bool = False) -> ReplayedHands:
    """Play hands to the end.

    Args:
        packed: The hands; the acting players are filled in.
        whole: Whether to reject incomplete hands.
    """
    tables = packed.tables()
    found = np.zeros((len(tables), 2), np.int64)
    scratch = np.zeros((2, MAX_SEATS), np.int64)
    _play_all(tables, packed, found, scratch)
    is_over = tables["actor"] == NO_PLAYER
    fits = (found[:, 0] < 0) & (found[:, 1] >= 0)
    fits &= tables["board_cards"] == packed.setups[:, BOARD]
    fits &= (packed.chips[:, DEAD] < np.maximum(packed.chips[:, STACKS], 1)).all(axis=1)
    return ReplayedHands(packed, tables, fits & is_over if whole else fits)


@kernel
def opening_of(packed: Packed, k: Int, n: Int) -> rules.Opening:
    """The beginning of hand k, which has n players."""
    chips = packed.chips[k]
    return rules.Opening(
        packed.setups[k], chips[STACKS, :n], packed.cards[k], chips[BLINDS, :n], chips[DEAD, :n]
    )


@kernel
def ending_of(packed: Packed, k: Int, n: Int) -> rules.Ending:
    """The known result of hand k, which has n players."""
    setup = packed.setups[k]
    return rules.Ending(packed.cards[k], setup[END], packed.chips[k, ENDS, :n], setup[RAKE])


@kernel
def _play_all(tables: TableRecords, packed: Packed, found: I64, scratch: I64) -> None:
    """Play every hand; ``found`` gets the invalid action and the matching draw."""
    setups, _, _, actions, starts = packed
    for k in range(len(tables)):
        n = setups[k, SEATS]
        at, _, attempt = rules.play_out(
            tables[k : k + 1],
            opening_of(packed, k, n),
            actions[starts[k] : starts[k + 1]],
            ending_of(packed, k, n),
            scratch[0],
            scratch[1],
        )
        found[k, 0], found[k, 1] = at, attempt


def _opening(hand: Hand) -> tuple[int, ...]:
    """Setup of a hand for ``rules.open_hand``."""
    usual = (hand.small_blind, hand.big_blind, hand.ante)
    if not hand.blinds:
        return (*usual, NO_PLAYER, hand.big_blind)
    highest = max(hand.blinds)
    if highest > hand.big_blind:  # the last straddle
        last = max(i for i, chips in enumerate(hand.blinds) if chips == highest)
    elif len(hand.blinds) > 2 and hand.blinds[1] == hand.big_blind:
        last = 1
    else:
        last = 0
    return (*usual, last, highest)


def _deck(hand: Hand) -> bytes:
    """Deck of a hand as int8 bytes, -1 for unknown cards."""
    board = bytes(parse_cards(hand.board))
    deck = b"".join(map(_hole, hand.hole_cards)) + board
    if hand.second_board:
        second = bytes(parse_cards(hand.second_board))
        # Cards that both boards share stand in the first one alone.
        own = bytes(_UNKNOWN if card in board else card for card in second)
        deck = deck.ljust(2 * len(hand.hole_cards) + 5, b"\xff") + own
    return deck.ljust(N_CARDS, b"\xff")


@lru_cache(maxsize=4096)
def _hole(text: str) -> bytes:
    return bytes(parse_cards(text)) or b"\xff\xff"
