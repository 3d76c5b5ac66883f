"""The meta-game: a game whose strategies are the players of a run, played, written and drawn.

Unlike mean places, the results between champions of all generations show whether later champions
beat earlier ones, or whether the run is cyclic and forgets.

The pairwise results give players weights: maximum-entropy Nash and alpha-rank. Both identify the
relevant players of a population. A mean score instead rewards wins over many copies of one weak
player, and ranks players of a cycle.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import LinearConstraint, linprog, minimize
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.special import logsumexp, xlogy

import agents
from agents.match.playing import play_all
from agents.match.workers.base import Workers
from agents.measure.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, new_figure, save_figure
from agents.measure.leagues.league_matches import LeagueSettings, Match
from agents.statistics.estimates import LEVEL, TTest, holm
from evolve.evaluation.progress import spread_generations
from evolve.files import safe as files
from nlhe_env.jit.array_types import F64, I64, Bool

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap

_NASH_TOLERANCE = 1e-7
"""Weights and payoffs (relative to the largest) below it are rounding errors of the solver."""
_LOG_LEAK = -1e4
"""Log probability of changing to a worse player in the limit of alpha."""
_MARKS = ("black", GREEN, PURPLE)
"""Colours of cycles, distinct from those of payoffs."""


def nash_weights(payoffs: F64) -> F64:
    """The Nash equilibrium of a symmetric zero-sum game with the largest entropy.

    No player wins on average against the mixture with these weights. A game may have many
    equilibria. The one with maximum entropy is unique, treats equal players equally, and divides
    weight among copies of a player (D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018,
    section 4). The equilibria are found by linear programming (HiGHS), the entropy is maximised
    among them by sequential quadratic programming.

    Args:
        payoffs: ``(n, n)`` payoff of the row player against the column player, antisymmetric.

    Returns:
        ``(n,)`` weights; they sum to 1.

    Raises:
        ValueError: The payoffs are not antisymmetric.
        RuntimeError: The solver found no equilibrium.

    >>> rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> nash_weights(rock_paper_scissors).round(3)
    array([0.333, 0.333, 0.333])
    """
    payoffs = _checked(payoffs)
    if not np.array_equal(payoffs, -payoffs.T):
        raise ValueError("payoffs must be antisymmetric: what one wins the other loses")
    n = len(payoffs)
    scaled = payoffs / max(float(np.abs(payoffs).max()), np.finfo(float).tiny)
    # The game is symmetric, so its value is 0: weights w are an equilibrium where w @ payoffs >= 0.
    extremes = np.stack([_largest_weight(scaled, i) for i in range(n)])
    # A mean of equilibria is an equilibrium, and this one has every player that any of them has.
    inside = _normalised(extremes.mean(axis=0))
    if np.ptp(extremes, axis=0).max() < _NASH_TOLERANCE:
        return inside
    return _largest_entropy(scaled, inside)


def _largest_weight(payoffs: F64, i: int) -> F64:
    """An equilibrium with the maximum weight of one player."""
    n = len(payoffs)
    wanted = np.zeros(n)
    wanted[i] = -1.0
    solution = linprog(
        wanted,
        A_ub=-payoffs.T,
        b_ub=np.zeros(n),
        A_eq=np.ones((1, n)),
        b_eq=np.ones(1),
        bounds=(0.0, 1.0),
        method="highs",
    )
    if not solution.success:
        raise RuntimeError(f"no Nash equilibrium was found: {solution.message}")
    return np.asarray(solution.x, np.float64)


def _largest_entropy(payoffs: F64, start: F64) -> F64:
    """The equilibrium of the largest entropy, from one with the largest support."""
    support = np.flatnonzero(start)
    least = min(0.0, float((start @ payoffs).min()))
    solution = minimize(
        _negative_entropy,
        start[support],
        jac=_its_gradient,
        method="SLSQP",
        bounds=[(1e-12, 1.0)] * len(support),
        constraints=[
            LinearConstraint(np.ones((1, len(support))), 1.0, 1.0),
            LinearConstraint(payoffs[support].T, least, math.inf),
        ],
        tol=1e-14,
        options={"maxiter": 1000},
    )
    weights = np.zeros(len(payoffs))
    weights[support] = solution.x
    weights = _normalised(weights)
    # The solver may report failure close to the optimum, so the solution itself is checked.
    found = float((weights @ payoffs).min()) > -10.0 * _NASH_TOLERANCE
    return weights if found and _negative_entropy(weights) <= _negative_entropy(start) else start


def _normalised(weights: F64) -> F64:
    weights = np.where(weights > _NASH_TOLERANCE, weights, 0.0)
    return np.asarray(weights / weights.sum(), np.float64)


def _negative_entropy(weights: F64) -> float:
    return float(xlogy(weights, weights).sum())


def _its_gradient(weights: F64) -> F64:
    return np.asarray(np.log(weights) + 1.0, np.float64)


def alpha_rank(payoffs: F64, *, alpha: float = math.inf, population: int = 50) -> F64:
    """Share of time that an evolving population spends at each player (alpha-rank).

    A uniform population occasionally tries another player, which takes over or dies out. With
    larger alpha, the better player prevails more reliably. The result is the stationary
    distribution of this process: alpha-rank for one population (S. Omidshafiei et al., "alpha-Rank:
    Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019). Unlike Nash weights it is
    unique and does not need payoffs to be antisymmetric; players that beat each other in a cycle
    share it.

    The distribution is found by state reduction (W. K. Grassmann, M. I. Taksar and D. P. Heyman,
    Operations Research 33, 1985), which never subtracts. It uses log probabilities, which do not
    overflow or underflow at any strength of selection.

    Args:
        payoffs: ``(n, n)`` payoff of the row player against the column player.
        alpha: Strength of selection, in 1 / unit of the payoffs; infinite for the limit in which
            only the signs of differences count: a better newcomer prevails, an equal one with
            probability 1 / ``population``, and a worse one with a probability that goes to 0.
        population: Size of the population.

    Returns:
        ``(n,)`` shares; they sum to 1.

    >>> alpha_rank(np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]))
    array([1., 0., 0.])
    """
    payoffs = _checked(payoffs)
    if not alpha > 0.0:
        raise ValueError(f"alpha must be above 0; got {alpha}")
    if population < 2:
        raise ValueError(f"population must be at least 2; got {population}")
    # The newcomer (column) against the player of the population (row).
    advantage = payoffs.T - payoffs
    if math.isinf(alpha):
        rates = np.where(advantage > 0.0, 0.0, _LOG_LEAK)
        rates[advantage == 0.0] = -math.log(population)
    else:
        rates = _log_fixation(alpha * advantage, population)
    shares = np.exp(_log_stationary(rates))
    return np.asarray(shares / shares.sum(), np.float64)


def _log_fixation(u: F64, population: int) -> F64:
    """Logarithm of (1 - exp(-u)) / (1 - exp(-population u)), 1 / population where u is 0."""
    size = np.abs(u)
    size = np.where(size > 0.0, size, 1.0)
    ratio = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    # For negative u numerator and denominator are multiplied by exp(u), exp(population u).
    worse = ratio - (population - 1) * size
    return np.where(u > 0.0, ratio, np.where(u < 0.0, worse, -math.log(population)))


def _log_stationary(rates: F64) -> F64:
    """Logarithms, up to a constant, of the stationary distribution of a Markov chain.

    Args:
        rates: ``(n, n)`` log probabilities of changes from row to column, up to a constant; the
            diagonal is ignored.
    """
    rates = rates.copy()
    n = len(rates)
    for k in range(n - 1, 0, -1):
        # State k is eliminated: its inflow is passed on to its successors.
        rates[:k, k] -= logsumexp(rates[k, :k])
        rates[:k, :k] = np.logaddexp(rates[:k, :k], rates[:k, k, np.newaxis] + rates[k, :k])
    shares = np.zeros(n)
    for k in range(1, n):
        shares[k] = logsumexp(shares[:k] + rates[:k, k])
    return np.asarray(shares - shares.max(), np.float64)


def _checked(payoffs: F64) -> F64:
    payoffs = np.asarray(payoffs, np.float64)
    if payoffs.ndim != 2 or payoffs.shape[0] != payoffs.shape[1] or not len(payoffs):
        raise ValueError(f"payoffs must be a square matrix; got shape {payoffs.shape}")
    if not np.isfinite(payoffs).all():
        raise ValueError("payoffs must be finite numbers")
    return payoffs


@dataclass(frozen=True, eq=False)
class MetaGame:
    """Payoffs of players against each other.

    Attributes:
        names: Names of the players, in the order of time.
        payoffs: ``(n, n)`` mean payoff of the row player against the column player; antisymmetric.
        errors: ``(n, n)`` standard errors of the payoffs; symmetric, 0 on the diagonal.
        observations: Independent observations behind each payoff.
    """

    names: tuple[str, ...]
    payoffs: F64
    errors: F64
    observations: int

    def __post_init__(self) -> None:
        n = len(self.names)
        if n < 2 or self.payoffs.shape != (n, n) or self.errors.shape != (n, n):
            raise ValueError(
                "a meta-game needs at least 2 players, and payoffs and errors of every pair; got "
                f"{n} players and shapes {self.payoffs.shape} and {self.errors.shape}"
            )
        if not np.array_equal(self.payoffs, -self.payoffs.T):
            raise ValueError("payoffs must be antisymmetric: what one wins the other loses")

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def of_tournaments(cls, generations: I64, tally: agents.Tally) -> MetaGame:
        """Meta-game of tournaments of all players together.

        Payoffs are the share of tournaments in which the player of the row finished ahead of that
        of the column, minus the share behind. They depend on the other players.

        Args:
            generations: ``(n,)`` generations of the players, which are their names.
            tally: Results with rows, see ``play_tournaments``.
        """
        # For all pairs, tournaments ahead minus behind, and tournaments without a tie.
        leads = np.zeros((len(generations), len(generations)), np.int64)
        decided = np.zeros_like(leads)
        for scores in tally.row_scores:
            ahead = np.sign(scores - scores[:, np.newaxis]).astype(np.int64)
            leads += ahead
            decided += np.abs(ahead)
        payoffs = leads / tally.count
        # Every tournament counts -1, 0 or 1, so its square is 1 if it was decided.
        variances = (decided / tally.count - payoffs**2) / (tally.count - 1)
        errors = np.sqrt(np.maximum(variances, 0.0))
        return cls(tuple(map(str, generations)), payoffs, errors, tally.count)

    @cached_property
    def beats(self) -> Bool:
        """``(n, n)`` whether the row player beats the column player.

        A difference must be significant at the 99% level with Holm correction for all pairs, since
        a single wrong pair could create a false cycle.
        """
        rows, columns = np.triu_indices(len(self), 1)
        tests = [
            TTest(
                float(self.payoffs[i, j]),
                float(self.errors[i, j]),
                self.observations - 1,
                lower_is_better=False,
            )
            for i, j in zip(rows, columns, strict=True)
        ]
        shown = np.zeros(self.payoffs.shape, np.bool_)
        shown[rows, columns] = np.array(holm([test.p for test in tests])) < LEVEL
        shown |= shown.T
        return shown & (self.payoffs > 0.0)

    @cached_property
    def nash(self) -> F64:
        """``(n,)`` weights of the Nash equilibrium with the largest entropy."""
        return nash_weights(self.payoffs)

    @property
    def against_nash(self) -> F64:
        """``(n,)`` payoff of every player against the equilibrium: 0 inside, at most 0 outside."""
        return np.asarray(self.payoffs @ self.nash, np.float64)

    @cached_property
    def alpha_rank(self) -> F64:
        """``(n,)`` alpha-rank shares in the limit of alpha.

        This limit depends only on the signs of differences, so pairs without a significant
        difference count as equal; otherwise noise would decide.
        """
        return alpha_rank(self.beats.astype(np.float64))

    @property
    def transitive_share(self) -> float:
        """Share of the squared payoffs explained by one strength per player, 0 to 1.

        With mean payoffs r, the payoff of i and j is r_i - r_j plus a cyclic rest (Balduzzi et al.
        2018, section 3). Errors of the payoffs count as cyclic; 1 if there are no payoffs.
        """
        strength = self.payoffs.mean(axis=1)
        explained = strength[:, np.newaxis] - strength
        total = float((self.payoffs**2).sum())
        return float((explained**2).sum()) / total if total > 0.0 else 1.0

    @property
    def cycles(self) -> list[Cycle]:
        """Groups of players in which each beats every other, directly or indirectly."""
        n_groups, group = connected_components(self.beats, directed=True, connection="strong")
        members = [np.flatnonzero(group == i) for i in range(n_groups)]
        groups = sorted((rows.tolist() for rows in members if len(rows) > 1), key=min)
        return [Cycle(tuple(rows), self._shortest(rows)) for rows in groups]

    def _shortest(self, rows: list[int]) -> tuple[int, ...]:
        """A shortest cycle in a group whose players all beat each other, directly or indirectly."""
        beats = self.beats[np.ix_(rows, rows)]
        steps, before = shortest_path(
            beats.astype(np.float64), unweighted=True, return_predecessors=True
        )
        # Back from the loser to the winner, then the win itself.
        lengths = np.where(beats, steps.T, np.inf)
        winner, loser = np.unravel_index(int(np.argmin(lengths)), lengths.shape)
        path = [int(winner)]
        while path[-1] != loser:
            path.append(int(before[loser, path[-1]]))
        # The path is backwards: winner, the player that beats it, ..., the loser.
        ordered = path[:1] + path[:0:-1]
        return tuple(rows[i] for i in ordered)

    @property
    def later_beat_earlier(self) -> tuple[int, int, int]:
        """Numbers of pairs in which the later player wins, the earlier one wins, and neither."""
        upper, lower = np.triu(self.beats).sum(), np.tril(self.beats).sum()
        n_pairs = len(self) * (len(self) - 1) // 2
        return int(lower), int(upper), int(n_pairs - lower - upper)

    def as_dict(self) -> dict[str, Any]:
        """All results as plain values for JSON; None if unknown."""
        later, earlier, neither = self.later_beat_earlier
        values: dict[str, Any] = {
            "players": list(self.names),
            "observations": self.observations,
            "payoffs": self.payoffs.tolist(),
            "errors": self.errors.tolist(),
            "beats": self.beats.tolist(),
            "nash": self.nash.tolist(),
            "against_nash": self.against_nash.tolist(),
            "alpha_rank": self.alpha_rank.tolist(),
            "transitive_share": self.transitive_share,
            "later_beats_earlier": later,
            "earlier_beats_later": earlier,
            "neither_shown": neither,
            "cycles": [
                {
                    "players": [self.names[i] for i in cycle.members],
                    "shortest": [self.names[i] for i in cycle.shortest],
                }
                for cycle in self.cycles
            ],
        }
        plain: dict[str, Any] = files.without_infinities(values)
        return plain

    def describe(self, unit: str) -> list[str]:
        """Findings of the meta-game as lines of text.

        Args:
            unit: Unit of the payoffs.
        """
        later, earlier, neither = self.later_beat_earlier
        error = float(np.median(self.errors[np.triu_indices(len(self), 1)]))
        lines = [
            f"{len(self)} players, {self.observations:,} rounds; payoffs in {unit}, median "
            f"standard error {error:.3g}",
            f"later beats earlier in {later} pairs, earlier beats later in {earlier}, neither "
            f"shown in {neither}; a strength of each player explains "
            f"{100 * self.transitive_share:.0f}% of the payoffs",
            f"Nash weights: {self._weights(self.nash)}",
            f"alpha-rank: {self._weights(self.alpha_rank)}",
        ]
        for cycle in self.cycles:
            around = (*cycle.shortest, cycle.shortest[0])
            lines += [
                f"cycle of {len(cycle.members)} players: {self._listed(cycle.members)}; such as "
                + " beats ".join(self.names[i] for i in around)
            ]
        if not self.cycles:
            lines.append("no cycle shown")
        return lines

    def _weights(self, weights: F64, most: int = 6) -> str:
        """Text with the largest weights."""
        order = np.argsort(-weights, kind="stable")
        used = [i for i in order if weights[i] >= 0.005]
        shown = ", ".join(f"{self.names[i]} {100 * weights[i]:.0f}%" for i in used[:most])
        remaining = len(used) - most
        return shown + (f" and {remaining} more" if remaining > 0 else "")

    def _listed(self, members: Sequence[int]) -> str:
        return ", ".join(self.names[i] for i in members)


@dataclass(frozen=True)
class Cycle:
    """A cycle of players without a best one.

    Attributes:
        members: Indices of the players; each beats every other directly or indirectly.
        shortest: A shortest cycle: each player beats the next, and the last beats the first.
    """

    members: tuple[int, ...]
    shortest: tuple[int, ...]


def measure_heads_up(
    champions: agents.PlayerBatch,
    settings: LeagueSettings,
    *,
    rounds: int,
    workers: Workers,
    most: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> MetaGame:
    """Plays all pairs of the champions of a run.

    The games of a pair depend only on the two generation numbers, their champions and the settings,
    not on the other participants.

    Args:
        champions: Champion of every generation.
        settings: Settings of the game, heads-up.
        rounds: Duplicate tables of each pair: in each the same cards are played twice, with the
            seats exchanged.
        workers: Workers for the games; their number does not change the result.
        most: Maximum number of champions, evenly spread over the generations; default: all.
        on_progress: Called with the number of tables of each finished chunk.

    Returns:
        The meta-game. Payoffs are big blinds won in 100 hands, or the share of tournaments won
        minus the share lost. The names are the generations.
    """
    if len(champions) < 2:
        raise ValueError(f"a meta-game needs at least 2 generations; the run has {len(champions)}")
    if rounds < 2:
        raise ValueError(f"rounds must be at least 2; got {rounds}")
    if settings.format != "heads-up":
        raise ValueError(f"a meta-game is played heads-up; got format = {settings.format!r}")
    generations = spread_generations(len(champions), most or len(champions))
    n = len(generations)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    matches, plays = [], []
    for i, j in pairs:
        matches.append(Match(_names(int(generations[i]), int(generations[j])), settings))
        members = (int(generations[i]) - 1, int(generations[j]) - 1)
        plays.append(matches[-1].play_task(champions, agents.Blocks(rounds, players=members)))
    payoffs = np.zeros((n, n))
    errors = np.zeros_like(payoffs)
    # Chips: a player wins half the difference of the two. Places: smaller is better.
    sign = 0.5 if settings.cash else -1.0
    tallies = play_all(workers, plays, on_progress=on_progress)
    for (i, j), match, tally in zip(pairs, matches, tallies, strict=True):
        difference, error = tally.scored_in(match.unit).difference(0, 1)
        payoffs[i, j], payoffs[j, i] = sign * difference, -sign * difference
        errors[i, j] = errors[j, i] = abs(sign) * error
    names = tuple(str(generation) for generation in generations)
    return MetaGame(names, payoffs, errors, rounds)


def _names(first: int, second: int) -> tuple[str, str]:
    """Names that sort in the order of the generations."""
    return f"generation-{first:06d}", f"generation-{second:06d}"


def save_meta_games(
    games: Sequence[MetaGame], folder: Path, *, played: Mapping[str, Any], unit: str
) -> Path:
    """Writes ``metagame.json`` and returns its path.

    Args:
        games: Meta-game of each sub-population.
        folder: Where to write; made if it does not exist.
        played: Settings of the games, in plain values.
        unit: Unit of the payoffs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "metagame.json"
    values = {
        "played": dict(played),
        "unit": unit,
        "sub_populations": [game.as_dict() for game in games],
    }
    files.write_json(file, values)
    return file


def draw_meta_games(games: Sequence[MetaGame], path: Path, *, unit: str, title: str) -> Path:
    """Draws the payoff matrix of champions, with Nash and alpha-rank weights beside it.

    Blue cells are wins of the row champion. So a run that learns is blue below the diagonal, and
    one that forgets is blue above it. A dot marks a pair without a significant difference. Diamonds
    on the diagonal mark the players of a cycle, squares the wins in a shortest cycle.

    Args:
        games: Meta-game of each sub-population.
        path: The PNG to write.
        unit: Unit of the payoffs.
        title: Name of the run.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    figure = new_figure(9.2, 0.4 + 5.2 * len(games))
    panels = figure.subplots(
        len(games), 3, squeeze=False, gridspec_kw={"width_ratios": [5, 1.2, 1.2]}
    )
    for number, (row, game) in enumerate(zip(panels, games, strict=True), 1):
        heat, nash, alpha = row
        reach = max(float(np.abs(game.payoffs).max()), np.finfo(float).tiny)
        colours = _blue_to_orange()
        image = heat.imshow(game.payoffs, cmap=colours, vmin=-reach, vmax=reach, aspect="auto")
        unclear = ~(game.beats | game.beats.T) & ~np.eye(len(game), dtype=bool)
        rows, columns = np.nonzero(unclear)
        heat.plot(columns, rows, ".", color=GREY, markersize=3)
        for colour, cycle in zip(itertools.cycle(_MARKS), game.cycles):
            heat.plot(cycle.members, cycle.members, "D", color=colour, markersize=4)
            beaten = (*cycle.shortest[1:], cycle.shortest[0])
            heat.plot(beaten, cycle.shortest, "s", color=colour, markersize=9, fillstyle="none")
        ticks = np.unique(np.linspace(0, len(game) - 1, min(len(game), 8)).round().astype(int))
        heat.set_xticks(ticks, [game.names[i] for i in ticks])
        heat.set_yticks(ticks, [game.names[i] for i in ticks])
        heat.set_xlabel("against the champion of generation")
        name = f"sub-population {number}: " if len(games) > 1 else ""
        heat.set_ylabel(f"{name}champion of generation")
        figure.colorbar(image, ax=heat, location="left", label=unit, shrink=0.8)
        for axes, weights, heading, colour in (
            (nash, game.nash, "Nash weight", BLUE),
            (alpha, game.alpha_rank, "alpha-rank", ORANGE),
        ):
            axes.barh(np.arange(len(game)), weights, color=colour, height=0.8)
            axes.set_ylim(len(game) - 0.5, -0.5)
            axes.set_yticks([])
            axes.set_xlim(0.0, 1.05 * max(float(weights.max()), 0.1))
            axes.set_title(heading, fontsize=9)
            axes.spines[["top", "right"]].set_visible(False)
        later, earlier, neither = game.later_beat_earlier
        cycles = f"groups in cycles: {len(game.cycles)}" if game.cycles else "no cycle shown"
        heat.set_title(
            f"pairs: later beats earlier {later}, earlier beats later {earlier},\n"
            f"not shown {neither} (dots); {cycles}",
            fontsize=9,
        )
    figure.suptitle(title, fontsize=10)
    return save_figure(figure, path)


def _blue_to_orange() -> LinearSegmentedColormap:
    """Colour map from loss through white to win, safe for colour-blind readers."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("payoffs", [ORANGE, "white", BLUE])
