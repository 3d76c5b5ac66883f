"""Win chances and equities of many hands at once, from arrays of card codes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nlhe_env.arguments import whole_number
from nlhe_env.cards import CARD_NAMES
from nlhe_env.equity.tables import lookup
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.equity.tables.store import load_preflop, load_tables
from nlhe_env.equity.tables.suits import MAX_OPPONENTS
from nlhe_env.jit.array_types import F64, I8, AnyArray, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount
from nlhe_env.system.threads import Span, spans, thread_map

_ROWS_PER_TASK = 4096
"""Rows per task; fewer do not justify a thread."""


def win_or_tie_probabilities(
    holes: npt.ArrayLike,
    boards: npt.ArrayLike | None = None,
    n_opponents: npt.ArrayLike = 1,
    *,
    n_threads: int = 1,
) -> F64:
    """Probabilities that many hands win or tie at showdown (Nicolai's win chances).

    Values are exact, from the strength tables; the first call with a board loads them.

    Args:
        holes: ``(n, 2)`` card codes 0..51 of any integer dtype, in any order.
        boards: ``(n, k)`` card codes, ``k`` of 0, 3, 4 or 5 in any order; ``(k,)`` is one board for
            all hands; None is no board.
        n_opponents: 1 to 9, for each hand (``(n,)``) or for all. The probability against one
            opponent is raised to this power on each board and averaged over the possible boards.
        n_threads: Number of threads, which does not affect the result.

    Returns:
        ``(n,)`` float64 in [0, 1].

    Raises:
        ValueError: A shape or dtype is wrong, a code is outside 0..51, a card is repeated in a hand
            and its board, or ``n_opponents`` is outside 1..9.

    >>> from nlhe_env.cards import parse_cards
    >>> win_or_tie_probabilities([parse_cards("AhKh"), parse_cards("2c7d")]).round(6).tolist()
    [0.678697, 0.37457]
    """
    return _look_up(holes, boards, n_opponents, n_threads, shared=False)


def hand_equities(
    holes: npt.ArrayLike,
    boards: npt.ArrayLike | None = None,
    n_opponents: npt.ArrayLike = 1,
    *,
    n_threads: int = 1,
) -> F64:
    """Equities of many hands: mean shares of the pot at showdown.

    Against one random hand this is the exact equity, and ``win_or_tie_probabilities -
    hand_equities`` is half the tie probability. Several opponents are treated as independent on
    each board, as in ``win_or_tie_probabilities``; a tie with k of them counts 1 / (k + 1).
    ``equities`` deals all hands from one deck instead.

    Args, returns and errors as for ``win_or_tie_probabilities``.

    >>> from nlhe_env.cards import parse_cards
    >>> hand_equities([parse_cards("AhKh"), parse_cards("2c7d")]).round(6).tolist()
    [0.670446, 0.345836]
    """
    return _look_up(holes, boards, n_opponents, n_threads, shared=True)


def _look_up(
    holes: npt.ArrayLike,
    boards: npt.ArrayLike | None,
    n_opponents: npt.ArrayLike,
    n_threads: int,
    *,
    shared: bool,
) -> F64:
    hands = np.asarray(holes)
    if hands.ndim != 2 or hands.shape[1] != 2:
        raise ValueError(f"holes must have shape (n, 2); got {hands.shape}")
    n = len(hands)
    table_cards = np.empty((n, 0), np.int8) if boards is None else np.asarray(boards)
    if table_cards.ndim == 1:
        table_cards = np.broadcast_to(table_cards, (n, len(table_cards)))
    shape = table_cards.shape
    if len(shape) != 2 or len(table_cards) != n or shape[1] not in (0, 3, 4, 5):
        raise ValueError(f"boards must have shape ({n}, k) or (k,), k of 0, 3, 4 or 5; got {shape}")
    n_board = shape[1]
    hands = _as_codes("holes", hands)
    table_cards = _as_codes("boards", table_cards)
    opponents = _as_opponents(n_opponents, n)
    wrong = _first_card_twice(hands, table_cards)
    if wrong >= 0:
        cards = [*hands[wrong].tolist(), *table_cards[wrong].tolist()]
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"card {CARD_NAMES[twice]} appears twice in row {wrong}")
    whole_number("n_threads", n_threads, least=1)

    found = np.empty(n)
    fill: Callable[[Span], None]
    if n_board == 0:
        table = load_preflop()["hand_equities" if shared else "win_or_tie_probabilities"]

        def fill(span: Span) -> None:
            rows = slice(*span)
            _fill_preflop(hands[rows], opponents[rows], table, found[rows])

    else:
        tables = load_tables()

        def fill(span: Span) -> None:
            rows = slice(*span)
            _fill(hands[rows], table_cards[rows], opponents[rows], shared, tables, found[rows])

    n_tasks = min(n_threads, max(1, n // _ROWS_PER_TASK))
    list(thread_map(fill, spans(0, n, n_tasks), n_tasks))
    return found


def _as_codes(name: str, cards: AnyArray) -> I8:
    """Checked card codes as contiguous int8."""
    if cards.size == 0:
        return np.empty(cards.shape, np.int8)
    if cards.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers; got dtype {cards.dtype}")
    if cards.min() < 0 or cards.max() > 51:
        row = int(np.argmax(((cards < 0) | (cards > 51)).any(axis=1)))
        raise ValueError(
            f"card codes must be in 0..51; got {cards[row].tolist()} in row {row} of {name}"
        )
    return np.ascontiguousarray(cards, np.int8)


def _as_opponents(n_opponents: npt.ArrayLike, n: int) -> I8:
    """Checked numbers of opponents, one for each of n hands."""
    opponents = np.asarray(n_opponents)
    if opponents.shape not in ((), (n,)) or opponents.dtype.kind not in "iu":
        raise ValueError(
            f"n_opponents must be one integer or {n}; got shape {opponents.shape}, "
            f"dtype {opponents.dtype}"
        )
    wrong = opponents[(opponents < 1) | (opponents > MAX_OPPONENTS)]
    if wrong.size:
        raise ValueError(f"n_opponents must be 1..{MAX_OPPONENTS}; got {wrong.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(opponents, (n,)), np.int8)


@kernel
def _first_card_twice(holes: I8, boards: I8) -> Int:
    """The first row with a repeated card, or -1."""
    n_cards = 2 + boards.shape[1]
    for i in range(len(holes)):
        cards = card_bit(holes[i, 0]) | card_bit(holes[i, 1])
        for j in range(boards.shape[1]):
            cards |= card_bit(boards[i, j])
        if popcount(cards) != n_cards:
            return i
    return -1


@kernel
def _fill_preflop(holes: I8, opponents: I8, table: F64, found: F64) -> None:
    for i in range(len(holes)):
        hole_class = preflop_class(np.int64(holes[i, 0]), np.int64(holes[i, 1]))
        found[i] = table[hole_class, opponents[i] - 1]


@kernel
def _fill(
    holes: I8, boards: I8, opponents: I8, shared: Truth, tables: StrengthTablesRecord, found: F64
) -> None:
    n_board = boards.shape[1]
    for i in range(len(holes)):
        n = np.int64(opponents[i])
        if shared:
            found[i] = lookup.hand_equity(holes[i, 0], holes[i, 1], boards[i], n_board, n, tables)
        else:
            found[i] = lookup.win_or_tie_probability(
                holes[i, 0], holes[i, 1], boards[i], n_board, n, tables
            )
