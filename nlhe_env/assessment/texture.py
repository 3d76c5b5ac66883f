"""Board texture: board features that are independent of the players' hands.

The three features and the clusters are those of ASHE (Xun Li: "Opponent Modeling and Exploitation
in Poker Using Evolved Recurrent Neural Networks", PhD thesis, University of Texas at Austin, 2018,
chapter 6). Probabilities are exact here, by enumeration of all hands and future cards.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from nlhe_env.assessment import texture_kernels as kernels
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.assessment.texture_kernels import CONNECTIVITY, PAIREDNESS, SUITEDNESS
from nlhe_env.cards import CARD_NAMES, N_CARDS, RANKS, parse_cards
from nlhe_env.jit.array_types import F64, I64, AnyArray, Records

N_BOARDS = {3: 22_100, 4: 270_725, 5: 2_598_960}
"""Numbers of flops, turns and rivers, regardless of card order."""

_N_STARTS = 20
_PAIRING = {
    (1,): "none",
    (2,): "pair",
    (2, 2): "two pair",
    (3,): "trips",
    (3, 2): "full house",
    (4,): "quads",
}


@dataclass(frozen=True)
class BoardTexture:
    """Result of ``board_texture`` for a board of three to five cards."""

    pairing: str
    """``"none"``, ``"pair"``, ``"two pair"``, ``"trips"``, ``"full house"`` or ``"quads"``."""
    high_card: str
    """The highest rank, one of ``23456789TJQKA``."""
    n_suits: int
    """Number of suits: 1 is monotone, as many as cards is rainbow."""
    most_suited: int
    """Cards of the most frequent suit."""
    most_connected: int
    """Ranks that fit in one straight, 1 to 5."""
    flush_possible: bool
    """Whether a hand can have a flush now: three cards of a suit."""
    flush_draw_possible: bool
    """Whether a hand can have four of a suit, and cards are to come."""
    straight_possible: bool
    """Whether a hand can have a straight now."""
    open_ended_draw_possible: bool
    """Whether a hand can have four in sequence, open at both ends, and cards are to come."""
    pairedness: float
    """0, 0.5 or 1 for none, one, two pairs; 1 also for trips or better."""
    suitedness: float
    """The chance that any hand makes a flush by the river."""
    connectivity: float
    """The chance that any hand makes a straight by the river."""
    flush_or_straight: float
    """The chance that any hand makes a flush, a straight or both by the river."""
    cluster: int
    """Number of the board's cluster among those of the street; see ``texture_tables``."""


def board_texture(board: str) -> BoardTexture:
    """Texture of a board.

    Args:
        board: Three, four or five cards, such as ``"QsJs4h"``.

    Raises:
        ValueError: ``board`` is not that.

    >>> texture = board_texture("QsJs4h")
    >>> texture.pairing, texture.flush_draw_possible, texture.open_ended_draw_possible
    ('none', True, True)
    >>> round(texture.suitedness, 4), round(texture.connectivity, 4)
    (0.0335, 0.04)
    """
    codes = parse_cards(board)
    if len(codes) not in N_BOARDS:
        raise ValueError(f"board must be 3, 4 or 5 cards; got {board!r}")
    features = board_features([codes])[0]
    ranks = [code >> 2 for code in codes]
    suits = [code & 3 for code in codes]
    groups = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    # The ace is below the deuce as well: ladders of 14 ranks.
    ladder = {rank + 1 for rank in ranks} | ({0} if 12 in ranks else set())
    most_connected = max(len(ladder & set(range(low, low + 5))) for low in range(10))
    # Four in sequence with a rank below and a rank above, of which two or more are on the board.
    open_ended = max(len(ladder & set(range(low, low + 4))) for low in range(1, 10)) >= 2
    to_come = len(codes) < 5
    most_suited = max(suits.count(suit) for suit in suits)
    return BoardTexture(
        pairing=_PAIRING[tuple(n for n in groups if n > 1) or (1,)],
        high_card=RANKS[max(ranks)],
        n_suits=len(set(suits)),
        most_suited=most_suited,
        most_connected=most_connected,
        flush_possible=most_suited >= 3,
        flush_draw_possible=to_come and most_suited >= 2,
        straight_possible=most_connected >= 3,
        open_ended_draw_possible=to_come and open_ended,
        pairedness=float(features[PAIREDNESS]),
        suitedness=float(features[SUITEDNESS]),
        connectivity=float(features[CONNECTIVITY]),
        flush_or_straight=draw_probability(board),
        cluster=int(board_clusters([codes])[0]),
    )


def draw_probability(board: str = "") -> float:
    """Probability that a random hand makes a flush or straight by the river.

    Args:
        board: No, three, four or five cards.

    Raises:
        ValueError: ``board`` is not that.

    >>> round(draw_probability(), 4)
    0.0768
    """
    codes = parse_cards(board)
    if len(codes) not in (0, *N_BOARDS):
        raise ValueError(f"board must be 0, 3, 4 or 5 cards; got {board!r}")
    features = board_features([codes])[0]
    cards = board_set(np.array(codes, np.int64), len(codes))
    both = kernels.flush_and_straight(cards, len(codes))
    n_all = math.comb(N_CARDS - len(codes), 7 - len(codes))
    return float(features[SUITEDNESS] + features[CONNECTIVITY] - both / n_all)


def board_features(boards: AnyArray | list[tuple[int, ...]]) -> F64:
    """Pairedness, suitedness and connectivity of many boards.

    Args:
        boards: ``(n, k)`` card codes, ``k`` of 0, 3, 4 or 5.

    Returns:
        ``(n, 3)``, all in [0, 1]; see ``BoardTexture``.

    Raises:
        ValueError: The shape is wrong, or a row has invalid or repeated cards.
    """
    codes = _boards(boards, (0, *N_BOARDS))
    return _describe(codes, _chances()[0])[0]


def board_clusters(boards: AnyArray | list[tuple[int, ...]]) -> I64:
    """``(n,)`` the cluster of each board; see ``texture_tables``.

    Args:
        boards: ``(n, k)`` card codes, ``k`` of 3, 4 or 5.

    Raises:
        ValueError: As ``board_features``.
    """
    codes = _boards(boards, tuple(N_BOARDS))
    return _describe(codes, texture_tables())[1]


def _describe(boards: I64, tables: np.void) -> tuple[F64, I64]:
    features = np.empty((len(boards), kernels.N_FEATURES))
    clusters = np.empty(len(boards), np.int64)
    kernels.write_many(boards, tables, features, clusters)
    return features, clusters


@functools.cache
def texture_tables() -> np.void:
    """Texture tables for kernels: a record of dtype ``texture_kernels.TEXTURES``.

    The boards of each street are clustered by k-means on the three features, each board counting
    once, into K = ceil(log10 N) clusters for N boards: 5, 6 and 7. The best of 20 k-means++ starts
    with a fixed seed, by sum of squares, is kept. Clusters are numbered by their centres:
    pairedness first, then suitedness and connectivity. The tables are computed once, in less than a
    second.
    """
    tables = _chances().copy()
    for n_board, n_boards in N_BOARDS.items():
        n_clusters = math.ceil(math.log10(n_boards))
        points, weights = feature_counts(n_board)
        centres = k_means(points, weights, n_clusters, np.random.default_rng(n_board))
        tables[0]["n_clusters"][n_board] = n_clusters
        tables[0]["centres"][n_board, :n_clusters] = centres
    tables.setflags(write=False)
    record: np.void = tables[0]
    return record


def feature_counts(n_board: int) -> tuple[F64, I64]:
    """Distinct features of all boards of a street, and their numbers of boards.

    Args:
        n_board: 3, 4 or 5.

    Returns:
        ``(n, 3)`` features in ascending order and ``(n,)`` numbers of boards.
    """
    counts = np.zeros((1 << 13, 26), np.int64)
    kernels.count_boards(n_board, counts)
    ranks, squares = np.nonzero(counts)
    tables = _chances()[0]
    n_ranks = np.array([int(held).bit_count() for held in ranks])
    rows = np.empty((len(ranks), kernels.N_FEATURES))
    rows[:, PAIREDNESS] = np.minimum(1, 0.5 * (n_board - n_ranks))
    rows[:, SUITEDNESS] = _suitedness_by_squares(n_board)[squares]
    rows[:, CONNECTIVITY] = tables["straight"][n_board, ranks]
    points, inverse = np.unique(rows, axis=0, return_inverse=True)
    weights = np.zeros(len(points), np.int64)
    np.add.at(weights, inverse.ravel(), counts[ranks, squares])
    return points, weights


def k_means(points: F64, weights: AnyArray, n_clusters: int, rng: np.random.Generator) -> F64:
    """Cluster centres with the smallest weighted sum of squared distances found.

    Lloyd's algorithm from 20 starts by k-means++ (Arthur and Vassilvitskii, 2007), until nothing
    moves.

    Args:
        points: ``(n, d)`` coordinates.
        weights: ``(n,)`` weight of each point.
        n_clusters: Number of clusters, at most ``n``.
        rng: Generator of the starts.

    Returns:
        ``(n_clusters, d)`` centres in lexicographic order.
    """
    best, least = points[:n_clusters], math.inf
    for _ in range(_N_STARTS):
        centres = _start(points, weights, n_clusters, rng)
        nearest = np.full(len(points), -1)
        while True:
            distances = ((points[:, None] - centres) ** 2).sum(axis=2)
            moved = distances.argmin(axis=1)
            if np.array_equal(moved, nearest):
                break
            nearest = moved
            members = (nearest[:, None] == np.arange(n_clusters)) * weights[:, None]
            held = members.sum(axis=0)
            full = held > 0  # an empty cluster stays where it is
            centres[full] = (members.T @ points)[full] / held[full, None]
        squares = float(weights @ distances.min(axis=1))
        if squares < least:
            best, least = centres, squares
    return best[np.lexsort(np.round(best, 9).T[::-1])]


def _start(points: F64, weights: AnyArray, n_clusters: int, rng: np.random.Generator) -> F64:
    """First centres: points drawn by their squared distance from those drawn before."""
    chances = weights / weights.sum()
    centres = np.empty((n_clusters, points.shape[1]))
    distances = np.full(len(points), math.inf)
    for i in range(n_clusters):
        centres[i] = points[rng.choice(len(points), p=chances)]
        distances = np.minimum(distances, ((points - centres[i]) ** 2).sum(axis=1))
        chances = weights * distances / (weights @ distances)
    return centres


@functools.cache
def _chances() -> Records:
    """The tables in an array of one, without clusters."""
    tables = np.zeros(1, kernels.TEXTURES)
    for n_board in (0, *N_BOARDS):
        tables[0]["straight"][n_board] = kernels.straight_chances(n_board)
        tables[0]["flush"][n_board] = kernels.flush_chances(n_board)
    return tables


def _suitedness_by_squares(n_board: int) -> F64:
    """``(26,)`` suitedness by the sum of the squared numbers of cards of each suit."""
    flush = _chances()[0]["flush"][n_board]
    chances = np.zeros(26)
    for a in range(n_board + 1):
        for b in range(n_board + 1 - a):
            for c in range(n_board + 1 - a - b):
                suits = np.array([a, b, c, n_board - a - b - c])
                chances[suits @ suits] = flush[suits].sum()
    return chances


def _boards(boards: AnyArray | list[tuple[int, ...]], allowed: tuple[int, ...]) -> I64:
    codes = np.asarray(boards)
    if codes.ndim != 2 or codes.shape[1] not in allowed:
        raise ValueError(
            f"boards must have shape (n, k), k one of {', '.join(map(str, allowed))}; "
            f"got {codes.shape}"
        )
    if codes.shape[1] == 0:
        return np.zeros(codes.shape, np.int64)
    if codes.dtype.kind not in "iu" or (codes.size and not (0 <= codes.min() <= codes.max() <= 51)):
        raise ValueError("boards must contain card codes, integers in 0..51")
    ordered = np.sort(codes, axis=1)
    repeated = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if repeated.any():
        row = codes[int(repeated.argmax())]
        names = " ".join(CARD_NAMES[code] for code in row)
        raise ValueError(f"the cards of a board must be different; got {names}")
    return np.ascontiguousarray(codes, np.int64)
