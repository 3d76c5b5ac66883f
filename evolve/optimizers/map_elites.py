"""MAP-Elites for noisy games: the best candidate of every kind of behaviour.

J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites" (2015, arXiv:1504.04909):
a grid over behaviour measures with the fittest candidate of every cell. The grid and the variation
of its elites are those of pyribs (extra ``qd``). A child is an elite plus normal noise, plus a step
along the line to another elite (V. Vassiliades and J.-B. Mouret, "Discovering the elite hypervolume
by leveraging interspecies correlation", 2018).

In a noisy game the plain algorithm collects lucky candidates: a cell keeps the one that once had
the best cards, because no other reaches that fitness. After N. Justesen, S. Risi and J.-B. Mouret
("MAP-Elites for noisy domains by adaptive sampling", 2019), candidates here are evaluated
repeatedly:

- A candidate takes an empty cell at once. In an occupied cell it becomes the single challenger at
  most, if its fitness is above the elite's.
- Part of every generation consists of challengers and elites, which are evaluated again. Only these
  re-evaluations count from then on, because the first fitness has selection bias.
- A challenger takes the cell after ``trials`` re-evaluations, and is dropped as soon as they fall
  short of the elite's. The value of an elite is the mean of its re-evaluations, shrunk towards that
  of all elites as if by one additional average re-evaluation.
- Behaviour is averaged over all evaluations. A candidate whose mean belongs to another cell moves
  there, so cells reached only by chance become empty again.

Fitness must be comparable between generations, so the opponents should not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evolve import seeds
from evolve.optimizers.ask_tell import AskTell
from nlhe_env.arguments import number, share, whole_number
from nlhe_env.extras import needs_extra
from nlhe_env.jit.array_types import F32, F64, I64

_EMPTY = -1


class _Record(NamedTuple):
    """A candidate and its evaluations."""

    weights: F32
    first: float
    """Fitness in its first evaluation."""
    total: float
    """Sum of the fitness in re-evaluations."""
    evaluations: int
    """Number of re-evaluations."""
    behaviour: F64
    """Sum of the behaviour measures, first evaluation included."""


class MAPElites(AskTell):
    """MAP-Elites on a grid over two or more behaviour measures.

    ``tell`` needs the behaviour. For poker players, the measures are those of
    ``agents.match.style.behaviour_descriptors``: by default hands entered before the flop and
    aggression after it.

    Args:
        init: ``(n_parameters,)`` where the search starts.
        population: Candidates of a generation, at least 2.
        sigma: Standard deviation of the noise on every parameter of a child.
        seed: Seed of all random choices.
        measures: Columns of the behaviour that span the grid.
        cells: Cells of the grid along each measure.
        lowest: Smallest value of each measure; values beyond count for the cell at the edge.
        highest: Largest value of each measure.
        line: Standard deviation of the step towards another elite, in units of the distance.
        reevaluated: Part of a generation that is evaluated again.
        trials: Re-evaluations after which a challenger may take a cell. 0 is for exact fitness:
            nothing is re-evaluated, and the fittest candidate takes the cell at once.
        initial_sigma: Standard deviation around ``init`` in the first generation.

    Raises:
        MissingExtraError: pyribs is not installed.
        ValueError: An argument is out of its range.
    """

    racing = False
    constants = ("lowest", "highest", "line", "reevaluated")
    state_arrays = ("weights", "first", "total", "evaluations", "behaviour")

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        measures: Sequence[int] = (0, 2),
        cells: Sequence[int] = (20, 20),
        lowest: Sequence[float] = (0.0, 0.0),
        highest: Sequence[float] = (1.0, 1.0),
        line: float = 0.2,
        reevaluated: float = 0.25,
        trials: int = 1,
        initial_sigma: float = 0.5,
    ) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        self.measures = tuple(measures)
        self.cells = tuple(cells)
        self.ranges = tuple(zip(lowest, highest, strict=False))
        if not len(self.measures) == len(self.cells) == len(lowest) == len(highest) > 0:
            raise ValueError(
                "measures, cells, lowest and highest need one value for each dimension of the "
                f"grid; got {len(self.measures)}, {len(self.cells)}, {len(lowest)} and "
                f"{len(highest)}"
            )
        if min(self.measures) < 0:
            raise ValueError(f"measures must be columns from 0 on; got {self.measures}")
        if min(self.cells) < 1:
            raise ValueError(f"cells must be at least 1 in every dimension; got {self.cells}")
        if not all(low < high for low, high in self.ranges):
            raise ValueError(f"lowest must be below highest; got {lowest} and {highest}")
        self.trials = whole_number("trials", trials, least=0)
        self.line = number("line", line, least=0.0, above=True)
        self.reevaluated = share("reevaluated", reevaluated)
        if trials > 0 and self._most_due() == 0:
            raise ValueError(
                f"reevaluated = {reevaluated} of {population} candidates is less than one, so "
                "challengers would never be tried: raise it, or use trials = 0"
            )
        self.initial_sigma = number("initial_sigma", initial_sigma, least=0.0, above=True)
        self._grid = _ribs().archives.GridArchive  # fails here, not in the first generation
        # The elites of all cells, then their challengers.
        slots = 2 * self.n_cells
        self._weights: F32 = np.zeros((slots, self.n_parameters), np.float32)
        self._first: F64 = np.zeros(slots)
        self._total: F64 = np.zeros(slots)
        self._evaluations: I64 = np.full(slots, _EMPTY)
        self._behaviour: F64 = np.zeros((slots, len(self.cells)))

    @property
    def n_cells(self) -> int:
        """Cells of the grid."""
        return int(np.prod(self.cells))

    def archive(self, *, seed: int | None = None) -> Any:
        """The elites as a new ``ribs.archives.GridArchive``.

        Its objective is the mean of the re-evaluations, or the first fitness if there are none. The
        field ``evaluations`` is their number. Changes to the archive do not affect the search.

        Args:
            seed: Seed of the archive's own sampling.
        """
        archive = self._empty_grid(seed)
        elites = np.flatnonzero(self._evaluations[: self.n_cells] != _EMPTY)
        if len(elites):
            archive.add(
                self._weights[elites],
                self._fitness(elites),
                self._mean_behaviour(elites),
                evaluations=self._evaluations[elites],
            )
        return archive

    def recommend(self) -> F32:
        """The elite with the best re-evaluations in all cells.

        The comparison is that of challengers. Without re-evaluations the fittest elite; ``init``
        before the first generation.
        """
        elites = np.flatnonzero(self._evaluations[: self.n_cells] != _EMPTY)
        if not len(elites):
            return self.init.copy()
        known = elites[self._evaluations[elites] > 0]
        best = elites[np.argmax(self._first[elites])]
        if len(known):
            best = known[np.argmax(self._scores(known, self._prior(0.0)))]
        chosen: F32 = self._weights[best]
        return chosen.copy()

    def _sample(self, rng: np.random.Generator) -> F32 | F64:
        if self.generation == 0:
            noise = rng.standard_normal((self.population - 1, self.n_parameters))
            return np.vstack([self.init, self.init + self.initial_sigma * noise])
        again = self._weights[self._due()]
        archive_seed, emitter_seed = rng.integers(2**63, size=2).tolist()
        emitter = _ribs().emitters.IsoLineEmitter(
            self.archive(seed=archive_seed),
            x0=self.init,
            iso_sigma=self.sigma,
            line_sigma=self.line,
            batch_size=self.population - len(again),
            seed=emitter_seed,
        )
        return np.vstack([again, emitter.ask()])

    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        if behaviour is None or behaviour.shape[1] <= max(self.measures):
            got = "none" if behaviour is None else f"{behaviour.shape[1]} measures"
            raise ValueError(
                f"MAP-Elites needs the behaviour of the candidates, with the columns "
                f"{', '.join(map(str, self.measures))}; got {got}"
            )
        points = behaviour[:, self.measures]
        prior = self._prior(float(fitness.mean()))
        again = self._due()
        records = [
            _Record(
                self._weights[slot].copy(),
                float(self._first[slot]),
                float(self._total[slot] + fitness[i]),
                int(self._evaluations[slot] + 1),
                self._behaviour[slot] + points[i],
            )
            for i, slot in enumerate(again)
        ]
        self._evaluations[again] = _EMPTY
        records += [
            _Record(candidates[i], float(fitness[i]), 0.0, 0, points[i])
            for i in range(len(again), self.population)
        ]
        means = np.array([record.behaviour / (1 + record.evaluations) for record in records])
        cells = self._empty_grid().index_of(means)
        for record, cell in zip(records, cells.tolist(), strict=True):
            self._place(record, cell, prior)
        # The elites of these cells have moved away.
        heirs = np.flatnonzero(
            (self._evaluations[: self.n_cells] == _EMPTY)
            & (self._evaluations[self.n_cells :] != _EMPTY)
        )
        for cell in heirs.tolist():
            self._put_record(cell, self._record(cell + self.n_cells))
            self._evaluations[cell + self.n_cells] = _EMPTY

    def _place(self, record: _Record, cell: int, prior: float) -> None:
        """Makes a candidate the elite of its cell, or the challenger, or drops it."""
        if self._evaluations[cell] == _EMPTY:
            self._put_record(cell, record)
            return
        elite = float(self._scores(np.array([cell]), prior)[0])
        if record.evaluations >= self.trials:
            if self._score(record, prior) > elite:
                self._put_record(cell, record)
            return
        hopes = record.total / record.evaluations if record.evaluations else record.first
        slot = cell + self.n_cells
        has_challenger = self._evaluations[slot] != _EMPTY
        if hopes > elite and not (has_challenger and self._fitness(np.array([slot]))[0] >= hopes):
            self._put_record(slot, record)

    def _most_due(self) -> int:
        return min(round(self.reevaluated * self.population), self.population - 1)

    def _due(self) -> I64:
        """Slots to evaluate again: least evaluated elites, then most evaluated challengers."""
        most = self._most_due() if self.trials else 0
        occupied = np.flatnonzero(self._evaluations != _EMPTY)
        rng = seeds.generator(self.seed, seeds.OPTIMIZER, self.generation, 1)
        occupied = rng.permutation(occupied)  # breaks ties
        times = self._evaluations[occupied]
        elites = occupied[np.argsort(times, kind="stable")]
        elites = elites[elites < self.n_cells]
        challengers = occupied[np.argsort(-times, kind="stable")]
        challengers = challengers[challengers >= self.n_cells]
        tried = min(len(challengers), max(most // 2, most - len(elites)))
        return np.concatenate([elites[: most - tried], challengers[:tried]])

    def _prior(self, otherwise: float) -> float:
        """Mean fitness of all re-evaluations of elites."""
        elites = np.flatnonzero(self._evaluations[: self.n_cells] > 0)
        times = int(self._evaluations[elites].sum())
        return float(self._total[elites].sum() / times) if times else otherwise

    def _score(self, record: _Record, prior: float) -> float:
        if self.trials == 0:
            return record.first
        return (record.total + prior) / (record.evaluations + 1)

    def _scores(self, slots: I64, prior: float) -> F64:
        return np.array([self._score(self._record(slot), prior) for slot in slots])

    def _fitness(self, slots: I64) -> F64:
        """Mean fitness in re-evaluations, or the first fitness."""
        times = self._evaluations[slots]
        return np.where(times > 0, self._total[slots] / np.maximum(times, 1), self._first[slots])

    def _mean_behaviour(self, slots: I64) -> F64:
        means: F64 = self._behaviour[slots] / (1 + self._evaluations[slots])[:, np.newaxis]
        return means

    def _record(self, slot: int) -> _Record:
        return _Record(
            self._weights[slot],
            float(self._first[slot]),
            float(self._total[slot]),
            int(self._evaluations[slot]),
            self._behaviour[slot],
        )

    def _put_record(self, slot: int, record: _Record) -> None:
        self._weights[slot] = record.weights
        self._first[slot] = record.first
        self._total[slot] = record.total
        self._evaluations[slot] = record.evaluations
        self._behaviour[slot] = record.behaviour

    def _empty_grid(self, seed: int | None = None) -> Any:
        return self._grid(
            solution_dim=self.n_parameters,
            dims=self.cells,
            ranges=self.ranges,
            seed=seed,
            solution_dtype=np.float32,
            extra_fields={"evaluations": ((), np.int64)},
        )


def _ribs() -> Any:
    """The package pyribs, imported on first use because that takes seconds.

    Raises:
        MissingExtraError: It is not installed.
    """
    with needs_extra("qd", "map-elites"):
        import ribs
    return ribs
