"""Hand evaluator: the best five of 5, 6 or 7 cards, as one integer rank.

The order of hands is table 2.1 of Nicolai's thesis (the usual one). A rank is order-preserving:
higher wins, equal ties. Three fields make up a rank, the last two 13-bit sets of ranks::

    class << 26 | ranks of the made part << 13 | kickers

Within a class the sets have equal sizes, so that comparing them as integers compares the cards from
the highest down. A straight is given by its lowest card, in a set of 14 ranks where the ace is also
below the deuce.

``evaluate`` ranks arrays of hands, and ``describe`` names a hand. In compiled code the kernels
``rank_from_suits``, ``rank_set`` and ``rank_cards`` rank one hand and ``rank_sets`` many, without
argument checks.
"""

from __future__ import annotations

from nlhe_env.evaluator.batch import evaluate
from nlhe_env.evaluator.description import HandDescription, best_five, describe
from nlhe_env.evaluator.ranks import (
    CLASS_NAMES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    add_rank,
    hand_class,
    rank_cards,
    rank_from_suits,
    rank_of_flush,
    rank_set,
    rank_sets,
    rank_without_flush,
)

__all__ = [
    "CLASS_NAMES",
    "FLUSH",
    "FOUR_OF_A_KIND",
    "FULL_HOUSE",
    "HIGH_CARD",
    "PAIR",
    "STRAIGHT",
    "STRAIGHT_FLUSH",
    "THREE_OF_A_KIND",
    "TWO_PAIR",
    "HandDescription",
    "add_rank",
    "best_five",
    "describe",
    "evaluate",
    "hand_class",
    "rank_cards",
    "rank_from_suits",
    "rank_of_flush",
    "rank_set",
    "rank_sets",
    "rank_without_flush",
]
