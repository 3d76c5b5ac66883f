"""What-if analysis on copies of a table record: raises, side pots, run-outs, showdowns.

All functions take a record such as ``env.unwrapped.table`` and do not change it.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import CARD_NAMES, N_CARDS, parse_cards
from nlhe_env.game import betting, holdem
from nlhe_env.game.dealing import deal
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import NO_PLAYER, TableRecords
from nlhe_env.game.validity import check_pots, check_table, check_turn
from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.compilation import kernel

__all__ = ["amount_to_call", "raise_range", "redeal", "run_out", "showdown", "side_pots"]


def amount_to_call(record: np.void) -> int:
    """Chips that the player to act needs to call, at most its stack; 0 if it may check.

    The record may be from a hand file, with blinds that the game does not support.

    Raises:
        ValueError: ``record`` is not a table record, or no player is to act.
    """
    check_turn(record)
    return int(_amount_to_call(np.atleast_1d(record)))


def raise_range(record: np.void) -> tuple[int, int]:
    """Minimum and maximum raise of the player to act, as raise-to chips; (0, 0) if none is legal.

    Raises:
        ValueError: ``record`` is not a table record, or no player is to act; see ``check_table``.
    """
    check_table(record)
    least, most = _raise_range(np.atleast_1d(record))
    return int(least), int(most)


def redeal(record: np.void, seed: int | None = None, *, observer: int | None = None) -> np.void:
    """Copy with new cards in place of those hidden from an observer.

    Args:
        record: A table record during a hand.
        seed: Seed of the new cards; default: random.
        observer: Seat that keeps its hole cards; default: the player to act. Open board cards are
            also kept.

    Returns:
        A record for ``env.unwrapped.set_table``: all redeals consistent with the observer's cards
        are equally likely, without inference from the betting.
    """
    check_table(record)
    seat = int(record["actor"]) if observer is None else observer
    if not 0 <= seat < record["seats"]:
        raise ValueError(f"observer must be a seat in 0 .. {record['seats'] - 1}; got {observer!r}")
    seats = int(record["seats"])
    known = [2 * seat, 2 * seat + 1]
    known += range(2 * seats, 2 * seats + int(record["board_cards"]))
    cards = np.full_like(record["cards"], -1)
    cards[known] = record["cards"][known]
    copy = np.atleast_1d(record).copy()
    copy["cards"] = cards
    copy["preset_cards"] = 1
    copy["strength_key"] = 0
    _deal(copy, np.uint64(make_seed(seed)))
    result: np.void = copy[0]
    return result


def run_out(record: np.void, board: str = "") -> np.void:
    """Copy with the betting ended and the complete board.

    Args:
        record: A table record during a hand.
        board: Future board cards in order, such as ``"2c"``; missing cards are from the deck. With
            two boards, these are the cards of the first.

    Raises:
        ValueError: A card is invalid or already dealt, or there are too many.
    """
    check_table(record)
    copy = np.atleast_1d(record).copy()
    seats, open_cards = int(record["seats"]), int(record["board_cards"])
    new = parse_cards(board)
    if len(new) > 5 - open_cards:
        raise ValueError(f"{5 - open_cards} cards are still to come; got {board!r}")
    deck = copy["cards"][0]
    first = 2 * seats + open_cards
    in_play = {
        int(card)
        for seat in range(seats)
        if record["player"][seat] != NO_PLAYER
        for card in deck[2 * seat : 2 * seat + 2]
    } | {int(card) for card in deck[2 * seats : first]}
    for i, card in enumerate(new):
        if card in in_play:
            raise ValueError(
                f"card {CARD_NAMES[card]} is already in a player's hand or on the board"
            )
        other = int(np.flatnonzero(deck == card)[0])
        deck[[first + i, other]] = deck[[other, first + i]]
    _run_out(copy)
    copy["actor"] = NO_PLAYER
    result: np.void = copy[0]
    return result


def showdown(record: np.void) -> dict[int, int]:
    """Chips of every seat after an immediate showdown of all unfolded hands.

    The board is completed from the deck, twice with two boards. Uncalled bets, rake, side pots and
    odd chips follow the rules. The difference to ``record["starting_stack"]`` is the net result.

    Returns:
        Seat -> final stack, for every taken seat, folded ones included.
    """
    copy = np.atleast_1d(run_out(record))
    _settle(copy, np.zeros(10, np.int64))
    return {
        seat: int(copy["stack"][0, seat])
        for seat in range(int(record["seats"]))
        if record["player"][seat] != NO_PLAYER
    }


def side_pots(record: np.void) -> list[tuple[int, tuple[int, ...]]]:
    """Current pots during a hand, the main pot first.

    Bets of the current street are not yet part of a pot. Chips that are not bets, such as a missed
    small blind in a hand file, are part of the main pot. Cards may be unknown.

    Returns:
        Size and eligible seats of each pot.
    """
    check_pots(record)
    copy = np.atleast_1d(record).copy()
    put_in = copy["starting_stack"] - copy["stack"]
    dead = (put_in - copy["hand_bet"]).sum()
    if dead:
        _lay_dead(copy, dead)
    copy["hand_bet"] -= copy["street_bet"]
    copy["pot"] -= copy["street_bet"].sum()
    copy["cards"] = np.arange(N_CARDS)  # the pots do not depend on the cards
    copy["shared_cards"] = 5
    copy["rake_share"] = 0  # it is taken at the end
    _settle(copy, np.zeros(10, np.int64))
    sizes, seats = copy["pot_size"][0].tolist(), copy["pot_eligible"][0].tolist()
    return [
        (sizes[pot], tuple(seat for seat in range(int(record["seats"])) if seats[pot] >> seat & 1))
        for pot in range(int(copy["pots"][0]))
        if sizes[pot] > 0
    ]


@kernel
def _lay_dead(tables: TableRecords, chips: Int) -> None:
    tables[0].dead_ante += chips
    tables[0].hand_bet[betting.big_blind_seat(tables[0])] += chips  # where the game looks for it


@kernel
def _amount_to_call(tables: TableRecords) -> Int:
    return betting.amount_to_call(tables[0])


@kernel
def _raise_range(tables: TableRecords) -> tuple[Int, Int]:
    return betting.legal_raise(tables[0])


@kernel
def _deal(tables: TableRecords, seed: Int) -> None:
    deal(tables[0], seed, 0)


@kernel
def _run_out(tables: TableRecords) -> None:
    holdem.run_out(tables[0])


@kernel
def _settle(tables: TableRecords, ranks: I64) -> None:
    holdem.settle(tables[0], ranks)
