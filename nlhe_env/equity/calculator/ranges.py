"""Ranges: sets of holdings in the notation of players, such as ``TT+, AQs+, KJo, 76s-54s``."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlhe_env.cards import RANKS, SUITS, format_cards
from nlhe_env.equity.tables.suits import N_HOLES, hole_pairs
from nlhe_env.jit.array_types import F64, I64, AnyArray

_WEIGHT = re.compile(r"\d+\.?\d*([eE]-?\d+)?|\.\d+")
_SPACE = ", \t\n"
_ANY = "random"
_ALL_SUITS, _SUITED, _OFFSUIT = "", "s", "o"


@dataclass(frozen=True, eq=False, repr=False)
class Range:
    """Holdings that a player may have, each with a weight. Hashable; equal if all weights are.

    Usually made from text by ``Range.parse``; ``str`` gives the text back in its shortest usual
    form.

    Args:
        combos: ``(n, 2)`` card codes, holdings in any order; kept as int8, the higher card first,
            in ascending order. They cannot be written to.
        weights: ``(n,)`` float64, above 0 and at most 1. A holding of weight 0.5 comes up half as
            often as one of weight 1.

    Raises:
        ValueError: There are no holdings, a holding is not two different cards or is repeated, or
            a weight is out of range.

    >>> pairs = Range.parse("QQ-TT, AKs:0.5")
    >>> len(pairs), str(pairs)
    (22, 'QQ-TT, AKs:0.5')
    """

    combos: AnyArray
    weights: F64

    def __post_init__(self) -> None:
        combos = np.asarray(self.combos)
        weights = np.array(self.weights, np.float64)
        if combos.ndim != 2 or combos.shape[1] != 2 or not len(combos):
            raise ValueError(
                f"combos must have shape (n, 2) with n of 1 or more; got {combos.shape}"
            )
        if combos.dtype.kind not in "iu" or combos.min() < 0 or combos.max() > 51:
            raise ValueError("combos must hold card codes, integers in 0..51")
        if weights.shape != (len(combos),):
            raise ValueError(f"weights must have shape ({len(combos)},); got {weights.shape}")
        if not ((weights > 0) & (weights <= 1)).all():
            raise ValueError("weights must be above 0 and at most 1")
        low, high = np.sort(combos.astype(np.int64), axis=1).T
        numbers, order = np.unique(high * (high - 1) // 2 + low, return_index=True)
        if (low == high).any() or len(numbers) < len(combos):
            raise ValueError("every holding must be two different cards and come once")
        sorted_combos = np.stack([high, low], axis=1)[order].astype(np.int8)
        for name, array in ("combos", sorted_combos), ("weights", weights[order]):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def parse(cls, text: str) -> Range:
        """The range of a text.

        Parts are separated by commas or spaces; a part is one of

        - ``AhKh``: one holding; ``AKs``, ``AKo``, ``AK``: suited, offsuit, both; ``TT``: a pair;
        - ``TT+``: that pair and all above it; ``A9s+``: the lower card up to just below the higher;
        - ``TT-77``, ``A5s-A2s``: the lower card, or the pair, from one to the other;
          ``76s-54s``: both cards go down together;
        - ``*`` or ``random``: all 1,326 holdings;

        and any of them may have a weight from 0 to 1, as in ``AKo:0.5``. Where parts overlap, the
        last one counts: ``*, 72o:0`` is everything but seven-deuce offsuit.

        Raises:
            ValueError: The text is not a range; the message shows where.
        """
        if not isinstance(text, str):
            raise ValueError(f'a range must be text such as "TT+, AKs"; got {text!r}')
        return _parse(text)

    @functools.cached_property
    def numbers(self) -> I64:
        """``(n,)`` numbers C(a,2) + b of the holdings a > b, ascending."""
        high, low = self.combos.astype(np.int64).T
        numbers: I64 = high * (high - 1) // 2 + low
        numbers.setflags(write=False)
        return numbers

    @property
    def table(self) -> F64:
        """``(1326,)`` weights of all holdings, 0 where not in the range."""
        table = np.zeros(N_HOLES)
        table[self.numbers] = self.weights
        return table

    def __len__(self) -> int:
        return len(self.combos)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return np.array_equal(self.table, other.table)

    def __hash__(self) -> int:
        return hash((self.combos.tobytes(), self.weights.tobytes()))

    def __str__(self) -> str:
        if len(self) == N_HOLES and (self.weights == self.weights[0]).all():
            return "*" + _weight_suffix(float(self.weights[0]))
        table = self.table
        parts = []
        for weight in sorted(set(self.weights.tolist()), reverse=True):
            suffix = _weight_suffix(weight)
            parts += [part + suffix for part in _parts(table == weight)]
        return ", ".join(parts)

    def __repr__(self) -> str:
        return f"Range.parse({str(self)!r})"


@functools.lru_cache(maxsize=256)
def _parse(text: str) -> Range:
    weights = np.zeros(N_HOLES)
    for holdings, weight in _Reader(text).parts():
        weights[holdings] = weight
    held = weights > 0
    if not held.any():
        raise ValueError(f"a range must hold at least one hand; {text!r} has none")
    return Range(hole_pairs()[held], weights[held])


# ---------------------------------------------------------------------------------------- reading


class _Hand(NamedTuple):
    """A hand as players name it: ranks 0..12, the higher first, and what suits it may have."""

    high: int
    low: int
    suits: str

    def holdings(self) -> list[int]:
        """The numbers C(a,2) + b of its holdings a > b."""
        numbers = []
        for high_suit in range(4):
            for low_suit in range(4):
                a = 4 * self.high + high_suit
                b = 4 * self.low + low_suit
                allowed = self.suits == _ALL_SUITS or (
                    (self.suits == _SUITED) == (high_suit == low_suit)
                )
                if a > b and allowed:
                    numbers.append(a * (a - 1) // 2 + b)
        return numbers

    def __str__(self) -> str:
        return RANKS[self.high] + RANKS[self.low] + self.suits


class _Reader:
    """Reads a text from left to right; ``at`` is the place of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parts(self) -> Iterator[tuple[list[int], float]]:
        """The holdings and the weight of each part."""
        self.skip_space()
        while self.at < len(self.text):
            holdings = self.holdings()
            yield holdings, self.weight()
            if self.at < len(self.text) and self.text[self.at] not in _SPACE:
                raise self.error("expected a comma or a space, or one of s o + - : that fits here")
            self.skip_space()

    def holdings(self) -> list[int]:
        start = self.at
        if self.take("*"):
            return list(range(N_HOLES))
        if self.text[start : start + len(_ANY)].lower() == _ANY:
            self.at += len(_ANY)
            return list(range(N_HOLES))
        first = self.rank()
        suit = self.take(SUITS)
        # "As" may begin the holding AsKs, but no hand: there the second rank comes first.
        if suit:
            return [self.one_holding(4 * first + SUITS.index(suit))]
        hand = self.rest_of_hand(first)
        if self.take("+"):
            hands = self.upwards(hand)
        elif self.take("-"):
            middle = self.at
            hands = self.between(hand, self.rest_of_hand(self.rank()), start, middle)
        else:
            hands = [hand]
        return [number for hand in hands for number in hand.holdings()]

    def one_holding(self, first: int) -> int:
        start = self.at
        rank = self.rank()
        suit = self.take(SUITS)
        if not suit:
            raise self.error(f"expected the suit of the second card, one of {SUITS}")
        second = 4 * rank + SUITS.index(suit)
        if first == second:
            raise self.error("expected two different cards", at=start)
        high, low = max(first, second), min(first, second)
        return high * (high - 1) // 2 + low

    def rest_of_hand(self, first: int) -> _Hand:
        second = self.rank()
        at = self.at
        suits = self.take(_SUITED + _OFFSUIT)
        if suits and first == second:
            raise self.error("a pair is neither suited nor offsuit", at=at)
        return _Hand(max(first, second), min(first, second), suits)

    def upwards(self, hand: _Hand) -> list[_Hand]:
        if hand.high == hand.low:
            return [_Hand(rank, rank, "") for rank in range(hand.low, len(RANKS))]
        return [hand._replace(low=low) for low in range(hand.low, hand.high)]

    def between(self, hand: _Hand, other: _Hand, start: int, middle: int) -> list[_Hand]:
        top, bottom = max(hand, other), min(hand, other)
        if hand.suits != other.suits:
            raise self.error(f'expected another hand with the suits of "{hand}"', at=middle)
        gap = top.high - top.low
        if gap == bottom.high - bottom.low:  # pairs as well
            return [
                _Hand(high, high - gap, hand.suits) for high in range(bottom.high, top.high + 1)
            ]
        if top.high == bottom.high and bottom.low < top.low < top.high:
            return [top._replace(low=low) for low in range(bottom.low, top.low + 1)]
        raise self.error(
            "the hands of a run must be two pairs, share the higher card (A5s-A2s) or be equally "
            "far apart in rank (76s-54s)",
            at=start,
        )

    def weight(self) -> float:
        if not self.take(":"):
            return 1.0
        number = _WEIGHT.match(self.text, self.at)
        if not number or float(number[0]) > 1:
            raise self.error("expected a weight from 0 to 1")
        self.at = number.end()
        return float(number[0])

    def rank(self) -> int:
        rank = self.take(RANKS)
        if not rank:
            raise self.error(f"expected a rank, one of {RANKS}")
        return RANKS.index(rank)

    def take(self, allowed: str) -> str:
        """The next character, in the case of ``allowed``, if it is one of those; else nothing."""
        character = self.text[self.at : self.at + 1]
        for option in allowed:
            if character and option.lower() == character.lower():
                self.at += 1
                return option
        return ""

    def skip_space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in _SPACE:
            self.at += 1

    def error(self, expected: str, at: int | None = None) -> ValueError:
        at = self.at if at is None else at
        shown = self.text.replace("\n", " ").replace("\t", " ")
        return ValueError(f"range not understood: {expected}\n  {shown}\n  {' ' * at}^")


# ---------------------------------------------------------------------------------------- writing


def _weight_suffix(weight: float) -> str:
    return "" if weight == 1 else f":{weight!r}"


def _parts(held: AnyArray) -> Iterator[str]:
    """The text of a set of holdings, ``(1326,)`` bool, part by part."""
    left = held.copy()

    def take(hand: _Hand) -> bool:
        holdings = hand.holdings()
        whole = bool(held[holdings].all())
        if whole:
            left[holdings] = False
        return whole

    pairs = [rank for rank in range(13) if take(_Hand(rank, rank, ""))]
    for bottom, top in _runs(pairs):
        yield _run_text(_Hand(bottom, bottom, ""), _Hand(top, top, ""), is_highest=top == 12)
    for high in reversed(range(1, 13)):
        suited = [low for low in range(high) if take(_Hand(high, low, _SUITED))]
        offsuit = [low for low in range(high) if take(_Hand(high, low, _OFFSUIT))]
        kinds = [(_ALL_SUITS, suited)]
        if suited != offsuit:
            kinds = [(_SUITED, suited), (_OFFSUIT, offsuit)]
        for suits, lows in kinds:
            for bottom, top in _runs(lows):
                ends = _Hand(high, bottom, suits), _Hand(high, top, suits)
                yield _run_text(*ends, is_highest=top == high - 1)
    for number in reversed(np.flatnonzero(left).tolist()):
        yield format_cards(hole_pairs()[number].tolist())


def _runs(ranks: list[int]) -> Iterator[tuple[int, int]]:
    """First and last rank of each run of neighbours in ascending ranks, highest run first."""
    starts = [rank for rank in ranks if rank - 1 not in ranks]
    ends = [rank for rank in ranks if rank + 1 not in ranks]
    return zip(reversed(starts), reversed(ends), strict=True)


def _run_text(bottom: _Hand, top: _Hand, *, is_highest: bool) -> str:
    if bottom == top:
        return str(bottom)
    return f"{bottom}+" if is_highest else f"{top}-{bottom}"
