"""Hand strength: exact win chances on every street, and equity of hands and ranges.

The win chance is Nicolai's (thesis, section 4.2): one number replaces separate strength and
potential, and it comes from complete enumeration, never from sampling; ties count as wins. The pot
share counts them as their share: it is the equity. Both are read from tables, for one hand or for
arrays of hands. ``equities`` answers people's questions: any hands or ranges, any board.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.equity.calculator.exact_equity import EquityResult, equities
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
    """The share of showdowns that hole cards win or tie if kept to the river.

    Without a board the package's own table answers; else the tables are loaded, and the first time
    built.

    Args:
        hole: Two cards, such as ``"AhKh"``.
        board: No, three, four or five cards.
        n_opponents: 1 to 9. On each board the chance against one opponent is raised to this
            power; the average over the boards still to come is returned.

    Raises:
        ValueError: A text is not cards, their number is wrong, a card is repeated, or
            ``n_opponents`` is outside 1..9.

    >>> round(win_or_tie_probability("AhKh"), 6)
    0.678697
    >>> round(win_or_tie_probability("AhKh", "QhJh2c", n_opponents=2), 6)
    0.65325
    """
    return float(win_or_tie_probabilities(*_parse(hole, board, n_opponents), n_opponents)[0])


def hand_equity(hole: str, board: str = "", *, n_opponents: int = 1) -> float:
    """The share of the pot that hole cards win if kept to the river: their equity.

    Against one random hand it is exact; ``hand_equities`` says how several opponents are counted.

    Args and errors as for ``win_or_tie_probability``.

    >>> round(hand_equity("AhKh"), 6)
    0.670446
    >>> round(hand_equity("AhKd", "AcKs7d2h2c"), 6)
    0.905051
    """
    return float(hand_equities(*_parse(hole, board, n_opponents), n_opponents)[0])


def _parse(hole: str, board: str, n_opponents: int) -> tuple[I8, I8]:
    """The cards of two texts, ``(1, 2)`` and ``(1, k)``."""
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
