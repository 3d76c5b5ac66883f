"""Winnings of all players over the hands of a file, raw and variance-reduced."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from agents.statistics.estimates import half_width
from agents.variance_reduction.aivat_logs import AivatEvaluator
from agents.web.hands.replays import names_of
from nlhe_env.hand_history import Hand
from nlhe_env.hand_history.evaluated import BatchEvaluator, EvaluatedHands
from nlhe_env.hand_history.replay import HandError
from nlhe_env.jit.array_types import F64

_SECONDS = 1.0
"""Seconds after which a request is answered, with the progress if the work is unfinished."""

_AT_ONCE = 64  # hands between two looks at the clock
_MOST_NAMES = 10
_MOST_POINTS = 600
_MEASURES = (
    ("won", "Won"),
    ("all_in", "All-in EV"),
    ("adjusted", "Variance-reduced"),
)


class SessionProgress:
    """A session that is computed in parts, so that a page can show the progress.

    Args:
        hands: Hands in the order in which they were played.
    """

    def __init__(self, hands: Sequence[Hand]) -> None:
        self._parts = _session_parts(hands)
        self._latest: dict[str, Any] = {}

    def advance(self) -> dict[str, Any]:
        """Continue for about a second.

        Returns:
            ``done`` of ``total`` hands while the work is unfinished; then the result of
            ``session``.
        """
        end = time.monotonic() + _SECONDS
        for latest in self._parts:
            self._latest = latest
            if time.monotonic() > end:
                break
        return self._latest


def session(hands: Sequence[Hand]) -> dict[str, Any]:
    """Cumulative winnings of players, after every hand.

    Args:
        hands: Hands in the order in which they were played.

    Returns:
        ``hands``, the hand numbers of the points, from 1; ``players``, at most ten, those with the
        most hands: ``name``, and sums by measure: ``won``, ``all_in``, and ``adjusted``, which is
        None unless all hole cards of all hands are known; ``measures``, their titles; ``left_out``,
        the number of incomplete hands; ``unit``, the most chips per unit of the sums. For long
        sessions, some hundred points are returned.
        ``rates`` of a player are its big blinds per 100 hands by measure, each with half of a 95%
        t-interval (None for a single hand).
    """
    *_, result = _session_parts(hands)
    return result


def _session_parts(hands: Sequence[Hand]) -> Iterator[dict[str, Any]]:
    """The number of hands that are done, after each part of them; at last the session."""
    parts = []
    for done, *part in _winnings(hands):
        parts.append(part)
        yield {"done": done, "total": len(hands)}
    yield _session_of(hands, *_joined(parts))


def _session_of(hands: Sequence[Hand], whole: list[int], money: F64) -> dict[str, Any]:
    if not whole:
        nothing: dict[str, Any] = {"hands": [], "players": [], "measures": dict(_MEASURES)}
        return {**nothing, "left_out": len(hands), "unit": 1}
    names = Counter(name for k in whole for name in names_of(hands[k]))
    points = np.unique(np.linspace(0, len(whole) - 1, _MOST_POINTS).astype(int))
    players = []
    for name, _ in names.most_common(_MOST_NAMES):
        won = np.zeros((len(whole), len(_MEASURES)))
        big_blinds = []
        for row, k in enumerate(whole):
            at = names_of(hands[k])
            if name in at:
                won[row] = money[row, :, at.index(name)] / hands[k].unit
                big_blinds.append(money[row, :, at.index(name)] / hands[k].big_blind)
        sums = won.cumsum(axis=0)[points]
        players.append(
            {
                "name": name,
                **{
                    measure: None if np.isnan(sums[:, i]).any() else sums[:, i].round(3).tolist()
                    for i, (measure, _) in enumerate(_MEASURES)
                },
                "rates": _rates(np.array(big_blinds)),
            }
        )
    return {
        "hands": [whole[point] + 1 for point in points.tolist()],
        "players": players,
        "measures": dict(_MEASURES),
        "left_out": len(hands) - len(whole),
        "unit": max(hands[k].unit for k in whole),
    }


def seat_rates(hands: Sequence[Hand]) -> dict[str, Any]:
    """Big blinds won per 100 hands by every seat of a table.

    Args:
        hands: Hands of one table.

    Returns:
        ``hands``, the number of finished hands; ``measures`` as in ``session``; and ``seats``, the
        ``rates`` of ``session`` for every seat that was dealt in, by its number as text.
    """
    whole, money = _joined([part for _, *part in _winnings(hands)])
    big_blinds: dict[int, list[F64]] = {}
    for row, k in enumerate(whole):
        for place, seat in enumerate(hands[k].seats):
            big_blinds.setdefault(seat, []).append(money[row, :, place] / hands[k].big_blind)
    return {
        "hands": len(whole),
        "measures": dict(_MEASURES),
        "seats": {str(seat): _rates(np.array(won)) for seat, won in sorted(big_blinds.items())},
    }


def _rates(big_blinds: F64) -> dict[str, tuple[float, float | None] | None]:
    """Big blinds per 100 hands by measure, with half the interval; None for incomplete measures.

    Args:
        big_blinds: ``(n, 3)`` winnings in a player's hands by measure.
    """
    n = len(big_blinds)
    found: dict[str, tuple[float, float | None] | None] = {}
    for (measure, _), column in zip(_MEASURES, big_blinds.T, strict=True):
        if np.isnan(column).any():
            found[measure] = None
            continue
        half = None
        if n > 1:
            half = round(100 * half_width(float(column.std(ddof=1)) / n**0.5, n - 1), 1)
        found[measure] = (round(float(100 * column.mean()), 1), half)
    return found


def _winnings(hands: Sequence[Hand]) -> Iterator[tuple[int, list[int], F64]]:
    """Winnings of all players, some hands at a time.

    Yields:
        The number of hands that are done, the numbers of the complete ones among the latest, and
        their ``(n, 3, 10)`` winnings by measure.
    """
    knows_all = all(cards for hand in hands for cards in hand.hole_cards)
    evaluate = AivatEvaluator() if knows_all else None
    for first in range(0, len(hands), _AT_ONCE):
        numbers = list(range(first, min(first + _AT_ONCE, len(hands))))
        done = numbers[-1] + 1
        evaluated = _evaluate_some(hands, numbers)
        if evaluated is None:
            continue
        adjusted = np.full(evaluated.all_in.shape, np.nan)
        if evaluate is not None:
            adjusted = evaluate.evaluate([hands[k] for k in numbers])
        money = evaluated.money.astype(float)
        yield done, numbers, np.stack([money, evaluated.all_in, adjusted], axis=1)


def _joined(parts: Sequence[Any]) -> tuple[list[int], F64]:
    """The parts of ``_winnings`` as one."""
    if not parts:
        return [], np.zeros((0, len(_MEASURES), 0))
    numbers, winnings = zip(*parts, strict=True)
    return list(chain.from_iterable(numbers)), np.concatenate(winnings)


def _evaluate_some(hands: Sequence[Hand], numbers: list[int]) -> EvaluatedHands | None:
    """Evaluate the hands with these numbers; incomplete ones are removed from the list."""
    evaluate = BatchEvaluator()
    while numbers:
        some = [hands[k] for k in numbers]
        try:
            return evaluate.evaluate(some, np.zeros(len(some), np.bool_))
        except HandError as error:
            del numbers[error.hand]
    return None
