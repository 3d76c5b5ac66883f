"""Ranges: weighted sets of holdings in poker notation, such as ``TT+, AQs+, KJo, 76s-54s``."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlhe_env.cards import RANKS, SUITS, format_cards
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.store import load_preflop
from nlhe_env.equity.tables.suits import N_HOLES, hole_numbers, hole_pairs
from nlhe_env.jit.array_types import F64, I64, AnyArray

_WEIGHT = re.compile(r"\d+\.?\d*([eE]-?\d+)?|\.\d+")
_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+)%")
_BLOCK = re.compile(r"\[(/?)\s*(\d+\.?\d*|\.\d+)\s*\]")
_SPACE = ",; \t\r\n"
_ANY = "random"
_ALL_SUITS, _SUITED, _OFFSUIT = "", "s", "o"


@dataclass(frozen=True, eq=False, repr=False)
class Range:
    """Weighted set of holdings; hashable, and equal if all weights are equal.

    ``Range.parse`` creates a range from text, and ``str`` returns its shortest usual notation.

    Args:
        combos: ``(n, 2)`` card codes of holdings in any order; stored as read-only int8 in
            ascending order, with the higher card first.
        weights: ``(n,)`` float64, above 0 and at most 1. A holding of weight 0.5 is half as likely
            as one of weight 1.

    Raises:
        ValueError: The range is empty, a holding is invalid or repeated, or a weight is out of
            range.

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
            raise ValueError("combos must contain card codes, integers in 0..51")
        if weights.shape != (len(combos),):
            raise ValueError(f"weights must have shape ({len(combos)},); got {weights.shape}")
        if not ((weights > 0) & (weights <= 1)).all():
            raise ValueError("weights must be above 0 and at most 1")
        low, high = np.sort(combos.astype(np.int64), axis=1).T
        numbers, order = np.unique(hole_numbers(high, low), return_index=True)
        if (low == high).any() or len(numbers) < len(combos):
            raise ValueError("every holding must be two different cards and appear once")
        sorted_combos = np.stack([high, low], axis=1)[order].astype(np.int8)
        for name, array in ("combos", sorted_combos), ("weights", weights[order]):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def parse(cls, text: str) -> Range:
        """Parse a range.

        Parts are separated by commas, semicolons or spaces. A part is one of

        - ``AhKh``: one holding; ``AKs``, ``AKo``, ``AK``: suited, offsuit, both; ``TT``: a pair;
        - ``TT+``: that pair and all above it; ``A9s+``: the lower card up to just below the higher;
        - ``TT-77``, ``A5s-A2s``: the lower card, or the pair, from one to the other;
          ``76s-54s``: both cards go down together;
        - ``Axs``, ``Kx``: the higher card with every lower one;
        - ``20%``: the best fifth of all holdings by equity against a random hand, in complete
          classes;
        - ``*`` or ``random``: all 1,326 holdings;

        Any part can have a weight from 0 to 1, as in ``AKo:0.5`` or ``AKo:50%``. ``[50]AKo,
        QQ[/50]`` halves the weights of all parts in the brackets. Later parts override earlier
        ones: ``*, 72o:0`` is everything except seven-deuce offsuit.

        Raises:
            ValueError: The text is invalid; the message shows the position.
        """
        if not isinstance(text, str):
            raise ValueError(f'a range must be text such as "TT+, AKs"; got {text!r}')
        return _parse(text)

    @functools.cached_property
    def numbers(self) -> I64:
        """``(n,)`` numbers C(a,2) + b of the holdings a > b, ascending."""
        high, low = self.combos.astype(np.int64).T
        numbers: I64 = hole_numbers(high, low)
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
        raise ValueError(f"a range must contain at least one hand; {text!r} has none")
    return Range(hole_pairs()[held], weights[held])


# ---------------------------------------------------------------------------------------- reading


class _Hand(NamedTuple):
    """A hand in poker notation: ranks 0..12, the higher first, and suitedness."""

    high: int
    low: int
    suits: str

    def holdings(self) -> list[int]:
        """Numbers C(a,2) + b of the holdings a > b of a hand."""
        numbers = []
        for high_suit in range(4):
            for low_suit in range(4):
                a = 4 * self.high + high_suit
                b = 4 * self.low + low_suit
                allowed = self.suits == _ALL_SUITS or (
                    (self.suits == _SUITED) == (high_suit == low_suit)
                )
                if a > b and allowed:
                    numbers.append(hole_numbers(a, b))
        return numbers

    def __str__(self) -> str:
        return RANKS[self.high] + RANKS[self.low] + self.suits


class _Reader:
    """Parser of a text from left to right; ``at`` is the index of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parts(self) -> Iterator[tuple[list[int], float]]:
        """Holdings and weight of each part."""
        self.skip_space()
        of_block = ""
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                of_block = self.block(of_block)
                self.skip_space()
                continue
            holdings = self.holdings()
            weight = self.weight()
            yield holdings, weight * float(of_block) / 100 if of_block else weight
            if self.at < len(self.text) and self.text[self.at] not in _SPACE + "[":
                raise self.error("expected a comma or a space, or one of s o + - : that fits here")
            self.skip_space()

    def block(self, opened: str) -> str:
        """Weight in percent of the parts after an opening bracket; empty after the closing one."""
        found = _BLOCK.match(self.text, self.at)
        if not found or not 0 <= float(found[2]) <= 100:
            raise self.error("expected a weight in per cent, such as [50]AK, QQ[/50]")
        closes, percent = found.groups()
        if closes and percent != opened:
            raise self.error(f"expected [/{opened}]" if opened else "no [..] comes before")
        if opened and not closes:
            raise self.error(f"expected [/{opened}] first")
        self.at = found.end()
        return "" if closes else percent

    def holdings(self) -> list[int]:
        start = self.at
        if best := _PERCENT.match(self.text, start):
            if not 0 < float(best[1]) <= 100:
                raise self.error("expected a share of all hands, above 0% and at most 100%")
            self.at = best.end()
            return _best_holdings(float(best[1]) / 100)
        if self.take("*"):
            return list(range(N_HOLES))
        if self.text[start : start + len(_ANY)].lower() == _ANY:
            self.at += len(_ANY)
            return list(range(N_HOLES))
        first = self.rank()
        suit = self.take(SUITS)
        # "As" may start the holding AsKs, but not a hand, in which a second rank follows first.
        if suit:
            return [self.one_holding(4 * first + SUITS.index(suit))]
        if first > 0 and self.take("x"):
            suits = self.take(_SUITED + _OFFSUIT)
            lower = [_Hand(first, low, suits) for low in range(first)]
            return [number for hand in lower for number in hand.holdings()]
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
        return hole_numbers(max(first, second), min(first, second))

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
        if gap == bottom.high - bottom.low:  # including pairs
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
        if percent := _PERCENT.match(self.text, self.at):
            if float(percent[1]) > 100:
                raise self.error("expected a weight from 0% to 100%")
            self.at = percent.end()
            return float(percent[1]) / 100
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
        """The next character, in the case of ``allowed``, if it is among those; else empty."""
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


def _best_holdings(share: float) -> list[int]:
    """Numbers of the best holdings against a random hand, in complete classes.

    The best class is always included.
    """
    holdings: list[int] = []
    counts = 0
    for hand in _classes_by_equity():
        numbers = hand.holdings()
        counts += len(numbers)
        if holdings and counts > share * N_HOLES + 1e-9:
            break
        holdings += numbers
    return holdings


@functools.cache
def _classes_by_equity() -> list[_Hand]:
    """The 169 classes, ordered by equity against a random hand."""
    shares = load_preflop()["hand_equities"][:, 0]
    hands = [
        _Hand(high, low, "" if high == low else suits)
        for high in range(len(RANKS))
        for low in range(high + 1)
        for suits in (_SUITED, _OFFSUIT)[: 1 + (low < high)]
    ]

    def equity(hand: _Hand) -> float:
        high, low = hole_pairs()[hand.holdings()[0]].tolist()
        return float(shares[preflop_class(high, low)])

    return sorted(hands, key=equity, reverse=True)


# ---------------------------------------------------------------------------------------- writing


def _weight_suffix(weight: float) -> str:
    return "" if weight == 1 else f":{weight!r}"


def _parts(held: AnyArray) -> Iterator[str]:
    """Parts of the text for a set of holdings, ``(1326,)`` bool."""
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
    """First and last rank of each run in ascending ranks, highest run first."""
    starts = [rank for rank in ranks if rank - 1 not in ranks]
    ends = [rank for rank in ranks if rank + 1 not in ranks]
    return zip(reversed(starts), reversed(ends), strict=True)


def _run_text(bottom: _Hand, top: _Hand, *, is_highest: bool) -> str:
    if bottom == top:
        return str(bottom)
    return f"{bottom}+" if is_highest else f"{top}-{bottom}"
