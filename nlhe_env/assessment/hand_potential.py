"""Hand strength, hand potential and effective hand strength of the Alberta programs.

The measures of Loki and Poki are the present hand strength (HS) and the probabilities of overtaking
a better hand (PPot) or being overtaken (NPot) (Darse Billings: "Algorithms and Assessment in
Computer Poker", PhD thesis, University of Alberta, 2006, section 2.5.2). They are computed by exact
enumeration. ``nlhe_env.assessment.potential_kernels`` has kernels for compiled players.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from nlhe_env.assessment import potential_kernels as kernels
from nlhe_env.cards import CARD_NAMES, format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.tables.suits import MAX_OPPONENTS, N_HOLES, hole_pairs
from nlhe_env.jit.array_types import F64, AnyArray

Holdings: TypeAlias = str | Range | AnyArray
"""Range of an opponent: a range, its text, or ``(1326,)`` weights as in ``Range.table``."""

_HOLES = hole_pairs().astype(np.int64)


@dataclass(frozen=True, eq=False)
class Potential:
    """Result of ``potential``."""

    hand_strength: float
    """HS: the chance to be ahead of all opponents now, ties with one of them counting one half."""
    positive: float
    """PPot: the chance to overtake an opponent who is ahead now."""
    negative: float
    """NPot: the chance to be overtaken by an opponent who is behind now."""
    transitions: F64
    """``(3, 3)`` chances against one opponent, adding up to 1: rows ahead, tied, behind now,
    columns the same later. Where opponents differ, the mean over them."""
    n_deals: int
    """Holdings and run-outs counted."""

    @property
    def effective_hand_strength(self) -> float:
        """EHS = HS + (1 - HS) PPot: ahead, or coming from behind (equations 2.1 to 2.3).

        NPot is omitted on purpose, since a vulnerable hand should bet now.
        """
        return self.hand_strength + (1 - self.hand_strength) * self.positive

    @property
    def win_share(self) -> float:
        """Share of the pot won if all cards are dealt: HS (1 - NPot) + (1 - HS) PPot.

        Against one opponent it is the exact equity. With a look-ahead of one card it is the mean
        hand strength on the next street.
        """
        strength = self.hand_strength
        return strength * (1 - self.negative) + (1 - strength) * self.positive


def hand_strength(
    hole: str, board: str = "", *, opponents: int | Holdings | Sequence[Holdings] = 1
) -> float:
    """Probability of having the best hand now, with ties as one half (HS, hand rank).

    For several opponents it is the product over them, as for independent holdings.

    Args:
        hole: Two cards, such as ``"AdQc"``.
        board: Zero, three, four or five cards. Without a board, hole cards are compared as two-card
            hands: pairs first, then the higher card, then the lower.
        opponents: Number of opponents with random hands, 1 to 9; or the range of one opponent, or a
            sequence with one range per opponent.

    Raises:
        ValueError: A text is invalid, the number of cards is wrong, a card is repeated, or a range
            has no possible holding.

    >>> round(hand_strength("AdQc", "Jh4c3h"), 6)
    0.585106
    >>> round(hand_strength("AdQc", "Jh4c3h", opponents=5), 4)
    0.0686
    >>> round(hand_strength("AdQc", "Jh4c3h", opponents="22+, AQ+"), 4)
    0.0536
    """
    hole_cards, board_cards = _cards(hole, board, (0, 3, 4, 5))
    tables, n_alike = _tables(opponents, hole_cards + board_cards)
    if board_cards:
        cards = np.array(board_cards)
        first, second = hole_cards
        strengths = [
            kernels.hand_strength(first, second, cards, len(cards), table) for table in tables
        ]
    else:
        strengths = [_preflop_strength(hole_cards, table) for table in tables]
    return float(math.prod(strengths) ** n_alike)


def potential(
    hole: str,
    board: str,
    *,
    n_cards: int | None = None,
    opponents: int | Holdings | Sequence[Holdings] = 1,
) -> Potential:
    """Hand potential: probabilities of improving or falling behind (PPot, NPot and EHS).

    With ties counting one half on both sides::

        PPot = (behind->ahead + behind->tied / 2 + tied->ahead / 2) / (behind + tied / 2)
        NPot = (ahead->behind + tied->behind / 2 + ahead->tied / 2) / (ahead + tied / 2)

    Args:
        hole: Two cards, such as ``"AdQc"``.
        board: Three, four or five cards.
        n_cards: Look-ahead in cards, 1 or 2; default: all remaining cards.
        opponents: As in ``hand_strength``. HS is the product over them. PPot and NPot are for one
            opponent, as a mean over different ranges.

    Raises:
        ValueError: As in ``hand_strength``, or ``n_cards`` exceeds the remaining cards.

    >>> found = potential("AdQc", "Jh4c3h")
    >>> round(found.positive, 6), round(found.negative, 6)
    (0.208324, 0.273693)
    >>> round(found.effective_hand_strength, 6), round(found.win_share, 6)
    (0.671539, 0.511399)
    """
    hole_cards, board_cards = _cards(hole, board, (3, 4, 5))
    n_to_come = 5 - len(board_cards)
    n_ahead = n_to_come if n_cards is None else n_cards
    if n_cards is not None and n_cards not in range(1, n_to_come + 1):
        raise ValueError(
            f"n_cards must be 1 or more and at most the {n_to_come} to come after {board!r}, or "
            f"None; got {n_cards!r}"
        )
    tables, n_alike = _tables(opponents, hole_cards + board_cards)
    scratch = np.zeros((), kernels.SCRATCH)[()]
    cards = np.array(board_cards)
    kernels.count(hole_cards[0], hole_cards[1], cards, len(cards), n_ahead, scratch)
    shares = []
    for table in tables:
        deals = np.array(kernels.transitions(table, scratch))
        shares.append(deals / deals.sum())
    strengths = [kernels.measures(kernels.Transitions(*share))[0] for share in shares]
    together = np.mean(shares, axis=0)
    _, positive, negative = kernels.measures(kernels.Transitions(*together))

    possible = np.any(tables, axis=0) & ~_holds_any(hole_cards + board_cards)
    n_runouts = math.comb(48 - len(board_cards), n_ahead)
    transitions = together.reshape(3, 3)
    transitions.setflags(write=False)
    return Potential(
        hand_strength=float(math.prod(strengths) ** n_alike),
        positive=float(positive),
        negative=float(negative),
        transitions=transitions,
        n_deals=int(np.count_nonzero(possible)) * n_runouts,
    )


def _cards(
    hole: str, board: str, allowed: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    hole_cards = parse_cards(hole)
    board_cards = parse_cards(board)
    if len(hole_cards) != 2:
        raise ValueError(f"hole must be two cards; got {hole!r}")
    if len(board_cards) not in allowed:
        numbers = ", ".join(map(str, allowed[:-1]))
        raise ValueError(f"board must be {numbers} or {allowed[-1]} cards; got {board!r}")
    for card in hole_cards:
        if card in board_cards:
            raise ValueError(
                f"card {CARD_NAMES[card]} is in both hole {hole!r} and board {board!r}"
            )
    return hole_cards, board_cards


def _tables(
    opponents: int | Holdings | Sequence[Holdings], known: tuple[int, ...]
) -> tuple[list[F64], int]:
    """Weights of every different opponent, and the number of opponents equal to the first."""
    if isinstance(opponents, (int, np.integer)):
        if opponents not in range(1, MAX_OPPONENTS + 1):
            raise ValueError(f"opponents must be 1..{MAX_OPPONENTS} or ranges; got {opponents!r}")
        return [np.ones(N_HOLES)], int(opponents)
    ranges: list[Holdings]
    if isinstance(opponents, (str, Range)) or (
        isinstance(opponents, np.ndarray) and opponents.ndim == 1
    ):
        ranges = [opponents]
    else:
        ranges = list(opponents)
    if not 1 <= len(ranges) <= MAX_OPPONENTS:
        raise ValueError(f"opponents must be 1 to {MAX_OPPONENTS} ranges; got {len(ranges)}")
    return [_table(held, known) for held in ranges], 1


def _table(held: Holdings, known: tuple[int, ...]) -> F64:
    """The checked weights of one opponent."""
    if isinstance(held, str):
        held = Range.parse(held)
    if isinstance(held, Range):
        table, name = held.table, f'"{held}"'
    else:
        table, name = np.asarray(held, np.float64), "these weights"
        if table.shape != (N_HOLES,) or not (np.isfinite(table) & (table >= 0)).all():
            raise ValueError(
                f"weights must be {N_HOLES} numbers, 0 or more; got shape {table.shape}"
                + (f", least {table.min()}" if table.size else "")
            )
    if not table[~_holds_any(known)].any():
        raise ValueError(
            f"{name} is impossible: every holding contains one of {format_cards(known)}"
        )
    return table


def _holds_any(cards: tuple[int, ...]) -> AnyArray:
    """``(1326,)`` whether a holding has one of these cards."""
    return np.asarray(np.isin(_HOLES, cards).any(axis=1))


def _preflop_strength(hole_cards: tuple[int, ...], table: F64) -> float:
    """Hand strength of two hole cards alone, without suits."""

    def value(cards: AnyArray) -> AnyArray:
        low, high = np.sort(cards >> 2, axis=-1).T
        return np.asarray((high == low) * 1000 + 13 * high + low)

    own = value(np.array(hole_cards))
    opposing = value(_HOLES)
    weights = np.where(_holds_any(hole_cards), 0.0, table)
    return float(weights @ ((own > opposing) + 0.5 * (own == opposing)) / weights.sum())
