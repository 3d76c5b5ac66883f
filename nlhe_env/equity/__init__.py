"""Hand strength: exact win chances on every street, and equities of hands and ranges.

Nicolai's win chance (thesis, section 4.1.3.4) is the probability of winning or tying, by complete
enumeration. The equity counts ties as shares of the pot. Both are table lookups for single hands or
arrays of hands. ``equities`` handles any hands or ranges on any board.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.equity.calculator.equities import EquityResult, equities
from nlhe_env.equity.calculator.many_hands import hand_equities, win_or_tie_probabilities
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.tables.lookup import StrengthTables
from nlhe_env.equity.tables.store import load_tables, rebuild_tables, tables_file
from nlhe_env.equity.tables.suits import MAX_OPPONENTS
from nlhe_env.jit.array_types import I8

__all__ = [
    "EquityResult",
    "Range",
    "StrengthTables",
    "equities",
    "hand_equities",
    "hand_equity",
    "load_tables",
    "rebuild_tables",
    "tables_file",
    "win_or_tie_probabilities",
    "win_or_tie_probability",
]


def win_or_tie_probability(hole: str, board: str = "", *, n_opponents: int = 1) -> float:
    """Probability that hole cards win or tie at showdown (Nicolai's win chance).

    Preflop values are part of the package. For boards the strength tables are loaded, and built on
    first use.

    Args:
        hole: Two cards, such as ``"AhKh"``.
        board: Zero, three, four or five cards.
        n_opponents: 1 to 9. The probability against one opponent is raised to this power on each
            board and averaged over the possible boards.

    Raises:
        ValueError: A text is invalid, the number of cards is wrong, a card is repeated, or
            ``n_opponents`` is outside 1..9.

    >>> round(win_or_tie_probability("AhKh"), 6)
    0.678697
    >>> round(win_or_tie_probability("AhKh", "QhJh2c", n_opponents=2), 6)
    0.65325
    """
    return float(win_or_tie_probabilities(*_parse(hole, board, n_opponents), n_opponents)[0])


def hand_equity(hole: str, board: str = "", *, n_opponents: int = 1) -> float:
    """Equity of hole cards: the mean share of the pot at showdown.

    It is exact against one random hand; ``hand_equities`` describes several opponents.

    Args and errors as for ``win_or_tie_probability``.

    >>> round(hand_equity("AhKh"), 6)
    0.670446
    >>> round(hand_equity("AhKd", "AcKs7d2h2c"), 6)
    0.905051
    """
    return float(hand_equities(*_parse(hole, board, n_opponents), n_opponents)[0])


def _parse(hole: str, board: str, n_opponents: int) -> tuple[I8, I8]:
    """Card codes of two texts, ``(1, 2)`` and ``(1, k)``."""
    hole_cards = parse_cards(hole)
    board_cards = parse_cards(board)
    if len(hole_cards) != 2:
        raise ValueError(f"hole must be two cards; got {hole!r}")
    if len(board_cards) not in (0, 3, 4, 5):
        raise ValueError(f"board must be 0, 3, 4 or 5 cards; got {board!r}")
    for card in hole_cards:
        if card in board_cards:
            raise ValueError(
                f"card {CARD_NAMES[card]} is in both hole {hole!r} and board {board!r}"
            )
    if n_opponents not in range(1, MAX_OPPONENTS + 1):
        raise ValueError(f"n_opponents must be 1..{MAX_OPPONENTS}; got {n_opponents!r}")
    return np.array([hole_cards], np.int8), np.array([board_cards], np.int8)
