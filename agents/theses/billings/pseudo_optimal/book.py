"""Book of a pseudo-optimal player: its strategy as bytes for kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.jit.array_types import F32, U8, AnyArray, Record
from nlhe_env.jit.record_pointers import record_pointer

N_ACTIONS = 3
N_MODEL_STREETS = 3
"""Flop, turn and river."""
MOST_BUCKETS = 16
MOST_PARTS = 16
MOST_BETS = 4
WEIGHTS = 20
"""Probabilities are stored as twentieths, which keeps files small."""

HEADER = np.dtype(
    [
        ("max_bets", np.int64),  # per street in the models, at most MOST_BETS
        ("parts", np.int64),  # parts per bucket
        ("weak", np.float64),  # strength below which a hand may be a draw
        ("potential", np.float64),  # minimum potential of a draw
        # By street, flop first: ordered buckets, all buckets, and hands of buckets so far.
        ("ordered", np.int64, (N_MODEL_STREETS,)),
        ("buckets", np.int64, (N_MODEL_STREETS,)),
        ("hands", np.int64, (N_MODEL_STREETS,)),
        ("edges", np.float32, (N_MODEL_STREETS, MOST_BUCKETS)),
        ("within", np.float32, (N_MODEL_STREETS, MOST_BUCKETS, MOST_PARTS)),
        # Post-flop model for every pre-flop betting line.
        ("model", np.int64, (2 * (MOST_BETS + 1),)),
        # Byte offsets of probabilities from the beginning of the book and of a model.
        ("preflop", np.int64),
        ("models", np.int64),
        ("model_size", np.int64),
        ("streets", np.int64, (N_MODEL_STREETS,)),
    ],
    align=True,
)
HeaderRecord: TypeAlias = Record
"""A record of dtype ``HEADER``."""

header_at = record_pointer(HEADER)
byte_at = record_pointer(np.dtype([("value", np.uint8)]))


def n_codes(max_bets: int) -> int:
    """Number of betting codes of a street, see ``player.code_of_street``."""
    return 2 * (max_bets + 1)


class Buckets(NamedTuple):
    """Buckets of hands; tuples are by street, flop first."""

    edges: tuple[F32, ...]
    """Ascending strengths between ordered buckets."""
    within: tuple[F32, ...]
    """``(buckets, parts - 1)`` ascending strengths between the parts of each bucket."""
    weak: float
    """Strength below which a hand with enough potential is a draw."""
    potential: float
    """Minimum PPot, with the next card, of a draw."""

    @property
    def ordered(self) -> tuple[int, ...]:
        """Number of buckets ordered by strength, by street."""
        return tuple(len(edges) + 1 for edges in self.edges)

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of buckets by street: before the river, the last one is for draws."""
        *before, last = self.ordered
        return (*(n + 1 for n in before), last)


def write_book(
    buckets: Buckets,
    max_bets: int,
    preflop: AnyArray,
    models: Sequence[Sequence[AnyArray]],
    model_after: Mapping[int, int],
) -> U8:
    """The bytes of a book.

    Args:
        buckets: Buckets of the flop, turn and river.
        max_bets: Maximum number of bets per street in the models.
        preflop: ``(codes of 4 bets, 169, 3)`` fold, call and raise probabilities by class.
        models: ``(lines, codes, hands, 3)`` probabilities for each model and street.
        model_after: Model number for each pre-flop code.
    """
    header = np.zeros(1, HEADER)
    one = header[0]
    one["max_bets"] = max_bets
    one["parts"] = buckets.within[0].shape[1] + 1
    one["weak"], one["potential"] = buckets.weak, buckets.potential
    one["ordered"], one["buckets"] = buckets.ordered, buckets.counts
    one["hands"] = np.cumprod(buckets.counts)
    for street, (edges, within) in enumerate(zip(buckets.edges, buckets.within, strict=True)):
        one["edges"][street, : len(edges)] = edges
        one["within"][street, : len(within), : within.shape[1]] = within
    for code, model in model_after.items():
        one["model"][code] = model
    blocks = [_weights(preflop)]
    assert blocks[0].size == n_codes(MOST_BETS) * N_PREFLOP * N_ACTIONS
    one["preflop"] = HEADER.itemsize
    one["models"] = HEADER.itemsize + blocks[0].size
    for streets in models:
        sizes = [chances.size for chances in streets]
        one["streets"] = np.cumsum(sizes) - sizes
        one["model_size"] = sum(sizes)
        blocks += [_weights(chances) for chances in streets]
    return np.concatenate([header.view(np.uint8), *blocks])


def check_book(book: U8 | None) -> None:
    """Check that all offsets of a book lie within it.

    Raises:
        ValueError: The bytes are not a book, or are damaged.
    """
    wrong = ValueError("book is not that of a pseudo-optimal player, or is damaged")
    if book is None or len(book) < HEADER.itemsize:
        raise wrong
    one = book[: HEADER.itemsize].view(HEADER)[0]
    bets, buckets = int(one["max_bets"]), one["buckets"].astype(np.int64)
    ordered, model = one["ordered"], one["model"]
    if not (
        1 <= bets <= MOST_BETS
        and 1 <= one["parts"] <= MOST_PARTS
        and ((ordered >= 1) & (ordered <= buckets) & (buckets <= MOST_BUCKETS)).all()
        and (one["hands"] == np.cumprod(buckets)).all()
        and ((model >= 0) & (model < len(book))).all()
        and ((one["streets"] >= 0) & (one["streets"] <= len(book))).all()
    ):
        raise wrong
    lines = n_codes(bets) ** np.arange(1, N_MODEL_STREETS + 1)
    needed = one["streets"] + lines * one["hands"] * N_ACTIONS
    preflop = int(one["preflop"]) + n_codes(MOST_BETS) * N_PREFLOP * N_ACTIONS
    models = int(one["models"]) + (int(model.max()) + 1) * int(one["model_size"])
    if (
        min(one["preflop"], one["models"]) < 0
        or max(needed) > one["model_size"]
        or max(preflop, models) > len(book)
    ):
        raise wrong


def _weights(chances: AnyArray) -> U8:
    weights: U8 = np.rint(chances * WEIGHTS).astype(np.uint8).ravel()
    return weights
