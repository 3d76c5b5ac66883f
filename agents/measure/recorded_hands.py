"""Results of recorded hands, with variance-reduced estimates, and rankings of their players.

All measures that the hands allow are computed, each with the standard deviation of a hand: money;
all-in equity; AIVAT, if requested; and for heads-up fixed-limit with all hole cards DIVAT, card
luck (LFAT), money minus the baseline's (Dcash), and hindsight (EVAT).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from agents.measure.figures import (
    GREY,
    LIGHT,
    LINES,
    MARKERS,
    line_look,
    new_figure,
    save_figure,
    without_frame,
)
from agents.statistics.ranking import Ranking, rank
from agents.variance_reduction.aivat_logs import AivatEvaluator
from nlhe_env.assessment.estimators.hand_divat import Form
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.hand_history import Hand, HandError
from nlhe_env.hand_history.batches import AT_ONCE, ReplayedHands, pack, play_packed
from nlhe_env.hand_history.evaluated import (
    BatchEvaluator,
    EvaluatedHands,
    needs_hole_cards,
    why_not,
)
from nlhe_env.hand_history.hand_builder import Read
from nlhe_env.hand_history.streams import HandStream
from nlhe_env.jit.array_types import F64, I64

MONEY, ALL_IN, AIVAT, DIVAT, LUCK, LESS_BASELINE, HINDSIGHT = MEASURES = (
    "money",
    "all-in equity",
    "AIVAT",
    "DIVAT",
    "luck of the cards",
    "money - baseline",
    "hindsight",
)
"""Measures of every hand."""
_OF_DIVAT = (DIVAT, LUCK, LESS_BASELINE, HINDSIGHT)
PLACE = "place"
"""Measure of tournaments: the place of every player, 1 for the best."""


@dataclass
class PlayerResults:
    """The results of a player's hands in big blinds; nan where not known.

    Attributes:
        name: Name of the player.
        values: One number per hand, by measure.
        streets: ``(n, 4)`` DIVAT by street, 0 for unplayed streets.
        events: Event of every hand, as its file names it.
        chips: Number of every hand in the stream, and chips before and after it.
        left_out: Measures without a mean, with the reason: the hands whose cards are all known are
            a biased sample.
    """

    name: str
    values: dict[str, list[float]] = field(
        default_factory=lambda: {measure: [] for measure in MEASURES}
    )
    streets: list[list[float]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    chips: list[tuple[int, int, int]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def rows(self, measures: Sequence[str] = MEASURES) -> list[dict[str, Any]]:
        """Rows of known measures: mean, standard error, deviation, share of hands.

        The last is the share of hands needed for the same standard error as without reduction, by
        the deviations in the same hands. Values that a single hand does not determine are nan.

        Args:
            measures: Measures to report.
        """
        money = np.array(self.values[MONEY])
        found = []
        for measure in measures:
            values = self.array(measure)
            if not len(values) or measure in self.left_out:
                continue
            deviation = _deviation(values)
            spread = _deviation(money[~np.isnan(self.values[measure])])
            found.append(
                {
                    "player": self.name,
                    "measure": measure,
                    "hands": len(values),
                    "mean": float(values.mean()),
                    "standard_error": deviation / math.sqrt(len(values)),
                    "deviation": deviation,
                    "hands_needed": (deviation / spread) ** 2 if spread > 0.0 else math.nan,
                }
            )
        return found

    def array(self, measure: str) -> F64:
        """Values of a measure in the hands where it is known."""
        values = np.array(self.values[measure], np.float64)
        return np.asarray(values[~np.isnan(values)])


def _deviation(values: F64) -> float:
    """Standard deviation of a hand; nan for a single one."""
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


def reduce_variance(
    hands: Iterable[Read],
    *,
    divat: bool | None = None,
    form: Form = "aie",
    aivat: AivatEvaluator | None = None,
    skip_hidden: bool = False,
    on_problem: Callable[[ValueError], None] | None = None,
) -> list[PlayerResults]:
    """Results of all players, with and without variance reduction.

    Args:
        hands: Complete hands of any players, with errors in place of unreadable hands; a few
            hundred are in memory at a time. Hands from ``nlhe_env.hand_history.stream_hands`` are
            replayed only once, for validation and evaluation.
        divat: Compute the measures for heads-up fixed-limit with all hole cards; default: for all
            suitable hands, and without means if some of these games lack cards.
        form: Form of DIVAT: ``"aie"`` by all-in equity, or ``"roe"`` by roll-outs, which is
            unbiased and slower.
        aivat: Estimator for AIVAT, which needs all hole cards; default: no AIVAT.
        skip_hidden: Leave AIVAT unknown for hands without all hole cards, and without means,
            instead of refusing them.
        on_problem: Callback for unreadable and incomplete hands, which are then skipped.

    Raises:
        ValueError: A hand is invalid, incomplete or unreadable, or the requested DIVAT or AIVAT is
            not possible.
    """
    players: dict[str, PlayerResults] = {}
    evaluate = BatchEvaluator(form)
    number = 1
    # Numbers of hands that lack hole cards, and of all: among those for DIVAT, and among any.
    lacking = {DIVAT: np.zeros(2, np.int64), AIVAT: np.zeros(2, np.int64)}
    for some, played in _batches(hands, on_problem):
        if not some:
            continue
        hidden = np.array(["" in hand.hole_cards for hand in some])
        suited = np.array([_suits_divat(hand) for hand in some])
        chosen = suited & ~hidden & (divat is not False)
        if divat and not chosen.all():
            k = int(chosen.argmin())
            raise ValueError(f"hand {number + k}: {_why_no_divat(some[k])}")
        lacking[DIVAT] += np.sum(suited & hidden), np.sum(suited)
        lacking[AIVAT] += np.sum(hidden), len(some)
        try:
            evaluated = evaluate.evaluate_played(played, chosen)
            by_aivat = None
            if aivat is not None and skip_hidden and hidden.any():
                known = np.flatnonzero(~hidden).tolist()
                by_aivat = np.full(evaluated.money.shape, math.nan)
                by_aivat[known] = aivat.evaluate([some[k] for k in known])
            elif aivat is not None:
                by_aivat = aivat.evaluate_played(some, played.packed)
        except HandError as error:
            raise ValueError(f"hand {number + error.hand}: {error}") from error
        _add(players, some, evaluated, by_aivat, number)
        number += len(some)
    left_out: dict[str, str] = {}
    if divat is None and lacking[DIVAT][0]:
        kind = "heads-up fixed-limit hands"
        left_out |= dict.fromkeys(_OF_DIVAT, _why_left_out(DIVAT, lacking[DIVAT], kind))
    if aivat is not None and lacking[AIVAT][0]:
        left_out[AIVAT] = _why_left_out(AIVAT, lacking[AIVAT], "hands")
    for player in players.values():
        player.left_out |= left_out
    return list(players.values())


def _why_left_out(measure: str, counts: I64, kind: str) -> str:
    return (
        f"{measure} is not shown: hole cards are missing in {counts[0]:,} of {counts[1]:,} {kind}, "
        "and a mean of the others would be biased"
    )


def _batches(
    hands: Iterable[Read], on_problem: Callable[[ValueError], None] | None
) -> Iterator[tuple[list[Hand], ReplayedHands]]:
    """Batches of a few hundred complete hands, with their replays."""
    n_before = 0
    if isinstance(hands, HandStream):
        for batch in hands.batches():
            whole = batch.whole() or _whole(batch.reads(), n_before, on_problem)
            n_before += len(batch)
            yield whole
        return
    remaining = iter(hands)
    while reads := list(islice(remaining, AT_ONCE)):
        yield _whole(reads, n_before, on_problem)
        n_before += len(reads)


def _whole(
    reads: Iterable[Read], n_before: int, on_problem: Callable[[ValueError], None] | None
) -> tuple[list[Hand], ReplayedHands]:
    """The complete hands; problems of others go to ``on_problem``, or are raised without it."""

    def note(problem: ValueError) -> None:
        if on_problem is None:
            raise problem
        on_problem(problem)

    some: list[Hand] = []
    numbers: list[int] = []
    for number, read in enumerate(reads, n_before + 1):
        if isinstance(read, Hand):
            some.append(read)
            numbers.append(number)
        else:
            note(read)
    played = play_packed(pack(some), whole=True)
    if played.fits.all():
        return some, played
    for k in np.flatnonzero(~played.fits).tolist():
        note(ValueError(f"hand {numbers[k]}: {why_not(some[k], k)}"))
    some = [some[k] for k in np.flatnonzero(played.fits).tolist()]
    return some, play_packed(pack(some), whole=True)


def _add(
    players: dict[str, PlayerResults],
    hands: Sequence[Hand],
    evaluated: EvaluatedHands,
    by_aivat: F64 | None,
    number: int,
) -> None:
    """Adds the results of a batch of hands, of which the first has this number."""
    # Seats of each player in the rows of the hands.
    places: dict[str, list[int]] = {}
    for k, hand in enumerate(hands):
        for place in range(len(hand.stacks)):
            name = (hand.players[place : place + 1] or ("",))[0] or f"p{place + 1}"
            places.setdefault(name, []).append(k * MAX_SEATS + place)
    order = np.concatenate([np.array(own, np.int64) for own in places.values()])
    units = np.array([hand.big_blind for hand in hands], np.float64)[:, None]
    streets = evaluated.streets / units

    def in_order(values: F64 | I64) -> list[float]:
        return list((values / units).ravel()[order].tolist())

    def of_two(values: F64) -> list[float]:
        """Values of both players from those of the big blind, which come first."""
        both = np.full((len(hands), MAX_SEATS), math.nan)
        both[:, 0], both[:, 1] = values, -values
        return in_order(both)

    aivat = np.full(evaluated.money.shape, math.nan) if by_aivat is None else by_aivat
    found = {
        MONEY: in_order(evaluated.money),
        ALL_IN: in_order(evaluated.all_in),
        AIVAT: in_order(aivat),
        DIVAT: of_two(evaluated.streets.sum(axis=1)),
        LUCK: of_two(evaluated.luck),
        LESS_BASELINE: of_two(evaluated.less_baseline),
        HINDSIGHT: of_two(evaluated.hindsight),
    }
    known = ~np.isnan(streets[:, 0])
    first = 0
    for name, own in places.items():
        player = players.setdefault(name, PlayerResults(name))
        last = first + len(own)
        for measure, values in found.items():
            player.values[measure] += values[first:last]
        first = last
        for k, place in (divmod(row, MAX_SEATS) for row in own):
            before = hands[k].stacks[place]
            player.events.append(hands[k].event)
            player.chips.append((number + k, before, before + int(evaluated.money[k, place])))
        if known.any():
            numbers, seats = np.divmod(np.array(own), MAX_SEATS)
            signed = np.where(seats == 0, 1.0, -1.0)[:, None] * streets[numbers]
            player.streets += signed[known[numbers]].tolist()


def _suits_divat(hand: Hand) -> bool:
    """Whether the game is that of DIVAT."""
    return hand.betting == "fixed-limit" and len(hand.stacks) == 2


def _why_no_divat(hand: Hand) -> str:
    """Reason that DIVAT is not possible."""
    if _suits_divat(hand):
        return f"DIVAT {needs_hole_cards(hand)}"
    return (
        f"DIVAT is for heads-up fixed-limit; this is {hand.betting} with {len(hand.stacks)} players"
    )


def rank_sessions(
    players: Sequence[PlayerResults],
    names: Mapping[str, str] | None = None,
    *,
    places: bool = False,
) -> dict[str, Ranking]:
    """Rankings of players by recorded sessions: the hands of an event.

    A session's result is the sum of big blinds won in its hands, or the place. The places of an
    event follow from the last hand of every player, and then from the chips after and before it.

    Args:
        players: Results of ``reduce_variance``.
        names: Common name of players with several names; their results in a session are added.
        places: Rank by places first.

    Returns:
        A ranking by measure: places if wanted, money, all-in equity, and AIVAT if all hole cards
        are known.

    Raises:
        ValueError: The hands name no event, or there are fewer than two sessions or players.
    """
    joined: dict[str, PlayerResults] = {}
    for player in players:
        name = (names or {}).get(player.name, player.name)
        own = joined.setdefault(name, PlayerResults(name))
        own.events += player.events
        own.chips += player.chips
        for measure, values in player.values.items():
            own.values[measure] += values
    events = list(dict.fromkeys(event for player in players for event in player.events))
    if events == [""]:
        raise ValueError("the hands name no event; rank them by file")
    if len(events) < 2 or len(joined) < 2:
        raise ValueError(
            "a ranking needs at least 2 sessions and 2 players; the hands have "
            f"{len(events)} and {len(joined)}"
        )
    numbers = {event: i for i, event in enumerate(events)}
    found = {}
    if places:
        found[PLACE] = rank(_places(joined, numbers), list(joined), lower_is_better=True)
    for measure in (MONEY, ALL_IN, AIVAT):
        if any(measure in player.left_out for player in players):
            continue
        won = np.full((len(events), len(joined)), np.nan)
        for column, player in zip(won.T, joined.values(), strict=True):
            sessions = np.array([numbers[event] for event in player.events])
            sums = np.bincount(sessions, player.values[measure], minlength=len(events))
            np.copyto(column, sums, where=np.bincount(sessions, minlength=len(events)) > 0)
        if not np.isnan(won).all():
            found[measure] = rank(won, list(joined))
    return found


def _places(players: Mapping[str, PlayerResults], numbers: Mapping[str, int]) -> F64:
    """``(sessions, players)`` places; nan for a player without a hand."""
    from scipy.stats import rankdata  # slow to import

    places = np.full((len(numbers), len(players)), np.nan)
    ends: list[dict[int, tuple[int, int, int]]] = [{} for _ in numbers]
    for column, player in enumerate(players.values()):
        for event, (hand, before, after) in zip(player.events, player.chips, strict=True):
            own = ends[numbers[event]]
            own[column] = max(own.get(column, (0, 0, 0)), (hand, after, before))
    for row, own in zip(places, ends, strict=True):
        best_first = sorted(set(own.values()), reverse=True)
        row[list(own)] = rankdata([best_first.index(end) for end in own.values()])
    return places


def load_names(path: Path) -> dict[str, str]:
    """Common names by names in the hands, from a CSV file with these two columns, no header.

    Raises:
        ValueError: The file is not CSV in UTF-8, or a line has another number of columns.
    """
    try:
        rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} must be CSV in UTF-8: {error}") from None
    names = {}
    for line, row in enumerate(rows, 1):
        if len(row) != 2:
            raise ValueError(
                f"{path}, line {line}: a line must be a name in the hands and the common name; "
                f"got {len(row)} columns"
            )
        names[row[0].strip()] = row[1].strip()
    return names


def draw_variance_reduction(player: PlayerResults, path: Path) -> Path:
    """Draws a player's winnings by money, DIVAT and card luck, over the hands.

    Args:
        player: The player; without DIVAT, money and all-in equity are drawn.
        path: The PNG to write.
    """
    figure = new_figure(7.0, 4.0)
    axes = figure.subplots()
    has_divat = player.streets and DIVAT not in player.left_out
    measures = (MONEY, DIVAT, LUCK) if has_divat else (MONEY, ALL_IN)
    for i, measure in enumerate(measures):
        values = np.cumsum(player.array(measure))
        # The lines are too rough for dashes.
        look = line_look(i, len(values)) | {"linestyle": "-", "markersize": 8}
        look["markeredgecolor"] = "white"
        axes.plot(np.arange(1, len(values) + 1), values, linewidth=1.1, label=measure, **look)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.set(title=player.name, xlabel="hands", ylabel="big blinds")
    axes.legend(frameon=False)
    return save_figure(figure, path)


def draw_rankings(rankings: Mapping[str, Ranking], path: Path, *, unit: str) -> Path:
    """Draws the means of some players with 95% intervals by measure, best first.

    Title and legend say with what chance the first is the best, and how many pairs of players the
    results put in order at 5%, by Holm's method.

    Args:
        rankings: Ranking by measure, of the same players and in the same unit; the first one orders
            them, and the last one has the widest lines.
        path: The PNG to write.
        unit: Unit of the means.
    """
    shown = next(iter(rankings.values()))
    n = len(shown.order)
    figure = new_figure(7.5, 1.5 + (0.3 + 0.14 * len(rankings)) * n)
    axes = figure.subplots()
    for k, (measure, ranking) in enumerate(rankings.items()):
        rows = {row["player"]: row for row in ranking.rows()}
        own = [rows[shown.names[i]] for i in shown.order]
        means = np.array([row["mean"] for row in own])
        reaches = np.nan_to_num([row["high"] - row["mean"] for row in own])
        at = np.arange(n) + 0.2 * (k - (len(rankings) - 1) / 2)
        decided = f"{ranking.decided} of {len(ranking.pairs)} orders decided"
        axes.errorbar(
            means, at, xerr=reaches, fmt=MARKERS[k], color=LINES[k], markersize=5,
            elinewidth=1.6, label=f"{measure}: {decided}",
        )  # fmt: skip
    best = shown.order[0]
    chances = [
        f"{ranking.first[best]:.0%} by {measure}"
        for measure, ranking in rankings.items()
        if math.isfinite(ranking.first[best])
    ]
    known = f"; the best it is with {', '.join(chances)}" if chances else ""
    axes.set_title(f"{shown.names[best]} came first{known}")
    axes.title.set_fontsize(9)
    axes.axvline(float(np.nanmean(shown.means)), color=GREY, linewidth=0.8, linestyle=":")
    labels = [
        f"{shown.names[i]}\nbest with {shown.first[i]:.0%}"
        if math.isfinite(shown.first[i])
        else shown.names[i]
        for i in shown.order
    ]
    axes.set_yticks(range(n), labels, fontsize=8)
    axes.set_ylim(n - 0.5, -0.5)
    if shown.lower_is_better:
        axes.invert_xaxis()
    axes.set_xlabel(f"{unit}, 95% intervals (right is better)")
    axes.grid(axis="x", color=LIGHT, linewidth=0.4)
    without_frame(axes)
    figure.legend(fontsize=8, loc="outside lower center", ncols=len(rankings))
    return save_figure(figure, path)
