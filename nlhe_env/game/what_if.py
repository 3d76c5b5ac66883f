"""What-if analysis on a copied table record: raises, side pots, the rest of the board, a showdown.

All functions take a record such as ``env.unwrapped.table`` and leave it as it is.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.game import betting, holdem
from nlhe_env.game.dealing import deal
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.game.validity import check_pots, check_table, check_turn
from nlhe_env.jit.compilation import kernel

__all__ = ["amount_to_call", "raise_range", "redeal", "run_out", "showdown", "side_pots"]


def amount_to_call(record: np.void) -> int:
    """Chips that the player to act must add to stay in, at most its stack; 0 where it may check.

    The record may be of a hand read from a file, with blinds that the game does not know.

    Raises:
        ValueError: ``record`` is no table record, or no player is to act.
    """
    check_turn(record)
    return int(_amount_to_call(np.atleast_1d(record)))


def raise_range(record: np.void) -> tuple[int, int]:
    """The least and the most that the player to act may raise to; (0, 0) if it may not.

    Raises:
        ValueError: ``record`` is no table record, or no player is to act; see ``check_table``.
    """
    check_table(record)
    least, most = _raise_range(np.atleast_1d(record))
    return int(least), int(most)


def redeal(record: np.void, seed: int | None = None, *, observer: int | None = None) -> np.void:
    """A copy in which the cards that an observer cannot know are dealt anew.

    Args:
        record: A table record during a hand.
        seed: Seed of the new cards; drawn if not given.
        observer: Seat whose hole cards stay; by default that of the player to act. The open cards
            of the board stay too.

    Returns:
        A record to play on from with ``env.unwrapped.set_table``: every redeal is equally likely
        given what the observer sees (and nothing is inferred from the betting).
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
    """A copy in which the betting is over and the whole board lies open.

    Args:
        record: A table record during a hand.
        board: Cards still to come in their order, such as ``"2c"``; those not given are the ones
            in the deck. With two boards these are the cards of the first.

    Raises:
        ValueError: A card is not possible, is held or lies open already, or too many are given.
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
            raise ValueError(f"card {CARD_NAMES[card]} is held by a player or lies open already")
        other = int(np.flatnonzero(deck == card)[0])
        deck[[first + i, other]] = deck[[other, first + i]]
    _run_out(copy)
    copy["actor"] = NO_PLAYER
    result: np.void = copy[0]
    return result


def showdown(record: np.void) -> dict[int, int]:
    """Chips that every seat would have if all unfolded hands were shown now.

    The board is run out with the cards of the deck, twice where that is played; uncalled chips
    return, the rake is taken, main and side pots and odd chips are paid by the rules. Compare with
    ``record["starting_stack"]`` for what is won or lost.

    Returns:
        Seat -> stack afterwards, for every seat that was dealt in.
    """
    copy = np.atleast_1d(run_out(record))
    _settle(copy, np.zeros(10, np.int64))
    return {
        seat: int(copy["stack"][0, seat])
        for seat in range(int(record["seats"]))
        if record["player"][seat] != NO_PLAYER
    }


def side_pots(record: np.void) -> list[tuple[int, tuple[int, ...]]]:
    """The pots that lie in the middle during a hand, the main pot first.

    Bets of the street that plays still lie in front of the players and belong to no pot. Chips that
    are no bets, such as a missed small blind in a hand read from a file, lie in the main pot. Cards
    may be unknown.

    Returns:
        Size and the seats that can win it, of each pot.
    """
    check_pots(record)
    copy = np.atleast_1d(record).copy()
    put_in = copy["starting_stack"] - copy["stack"]
    dead = (put_in - copy["hand_bet"]).sum()
    if dead:
        _lay_dead(copy, dead)
    copy["hand_bet"] -= copy["street_bet"]
    copy["pot"] -= copy["street_bet"].sum()
    copy["cards"] = np.arange(52)  # whatever they are, the pots are the same
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
def _lay_dead(tables, chips):
    tables[0].dead_ante += chips
    tables[0].hand_bet[betting.big_blind_seat(tables[0])] += chips  # where the game looks for it


@kernel
def _amount_to_call(tables):
    return betting.amount_to_call(tables[0])


@kernel
def _raise_range(tables):
    return betting.legal_raise(tables[0])


@kernel
def _deal(tables, seed):
    deal(tables[0], seed, 0)


@kernel
def _run_out(tables):
    holdem.run_out(tables[0])


@kernel
def _settle(tables, ranks):
    holdem.settle(tables[0], ranks)
