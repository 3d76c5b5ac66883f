"""CMA-ES by pycma, with this package's random streams and files.

pycma keeps its state in an object that it saves as a pickle, and by default seeds NumPy's global
generator, reads options from a file in the working directory and writes logs. Here it draws from
our generators, touches no file, uses a single thread for linear algebra (its matrices are too small
for more), and is restored from arrays: only the attributes below persist between generations.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from evolve.optimizers.ask_tell import AskTell
from nlhe_env.arguments import number
from nlhe_env.jit.array_types import F32, F64, AnyArray

_LEAST_DEVIATION = 2.0**-20
"""Smallest deviation, in units of ``sigma`` or of the largest parameter; float32 resolves
2**-24."""
_MOST_DEVIATION = 1e4
"""Largest deviation of a parameter, in units of ``sigma``."""
_MOST_FACTOR = 1e9
"""Largest ratio of each factor of a deviation to 1, either way."""


class _Normals:
    """Standard normal numbers for pycma, from the random generator of the current generation."""

    def __init__(self) -> None:
        self.rng: np.random.Generator | None = None

    def __call__(self, *shape: int) -> F64:
        if self.rng is None:
            raise RuntimeError("normal numbers were drawn outside of ask")
        return self.rng.standard_normal(shape)


class _PyCMA(AskTell):
    """Base of full and diagonal CMA-ES: everything but the matrix."""

    least_population = 4
    least_parameters = 2  # pycma does not support one
    diagonal: ClassVar[bool]
    constants = ("active", "mean_learning_rate")

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        active: bool = True,
        mean_learning_rate: float = 1.0,
    ) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        rate = number("mean_learning_rate", mean_learning_rate, least=0.0, most=1.0, above=True)
        import cma  # takes more than a second
        from cma.sigma_adaptation import CMAAdaptSigmaCSA
        from cma.transformations import DiagonalDecoding
        from cma.utilities.utils import ElapsedWCTime

        self._scaling_of = DiagonalDecoding
        self._normals = _Normals()
        options = {
            "popsize": self.population,
            "CMA_diagonal": self.diagonal,
            "CMA_active": bool(active),
            "CMA_cmean": rate,
            # Neither pairs along the last step nor mirrored samples: they would be state besides
            # the distribution, and the check of the pairs draws from NumPy's global generator. From
            # 300 parameters on, pycma would use pairs to adapt the step size.
            "AdaptSigma": CMAAdaptSigmaCSA,
            "CMA_mirrors": 0,
            # A transformation of the space would be further state; coordinate scaling stays on.
            "conditioncov_alleviate": [1e8, np.inf],
            "seed": np.nan,  # leaves NumPy's global generator alone
            "randn": self._normals,
            "signals_filename": None,
            "verbose": -10,
            "verb_log": 0,
        }
        with _quiet_on_one_thread():
            self._es: Any = cma.CMAEvolutionStrategy(
                self.init.astype(np.float64), self.sigma, options
            )
        self._es.timer = ElapsedWCTime()  # a restored one skips the first ask, which sets it

    def recommend(self) -> F32:
        """The mean of the distribution."""
        mean: F64 = self._es.mean
        return mean.astype(np.float32)

    def _sample(self, rng: np.random.Generator) -> F64:
        self._normals.rng = rng
        with _quiet_on_one_thread():
            candidates = self._es.ask()
        # pycma looks up its candidates here, but ``tell`` gets rounded ones, which are never found.
        self._es.sent_solutions.clear()
        self._normals.rng = None
        return np.array(candidates)

    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        # pycma minimises and uses only the order. Its sort is not stable, so another machine might
        # order ties differently; therefore it gets ranks.
        order = np.argsort(-fitness, kind="stable")
        with _quiet_on_one_thread():
            self._es.tell(
                list(candidates[order].astype(np.float64)), [float(i) for i in range(len(order))]
            )
            self._bound_deviations()

    def _bound_deviations(self) -> None:
        """Bounds the deviations so that float32 candidates differ and stay finite.

        pycma would stop here, but a run that has converged or has only noise as fitness continues.
        """
        es = self._es
        least = _LEAST_DEVIATION * max(self.sigma, float(np.abs(es.mean).max()))
        deviations = es.stds
        ratios = np.clip(deviations, least, max(least, _MOST_DEVIATION * self.sigma)) / deviations
        if (ratios != 1.0).any():
            es.sigma_vec *= ratios
        scaling = np.broadcast_to(es.sigma_vec.scaling, self.n_parameters)
        factors = np.array([es.sigma / self.sigma, scaling.min(), scaling.max()])
        if factors.min() < 1 / _MOST_FACTOR or factors.max() > _MOST_FACTOR:
            # The same distribution, from factors far from overflow.
            es.alleviate_conditioning_in_coordinates(1.0)
            scaling = np.broadcast_to(es.sigma_vec.scaling, self.n_parameters)
            mean = float(np.exp(np.log(scaling).mean()))
            es.sigma_vec = self._scaling_of(scaling / mean)
            es.sigma *= mean

    def _arrays(self) -> dict[str, AnyArray]:
        es = self._es
        return {
            "mean": es.mean,
            "step_size": np.array(es.sigma, np.float64),
            "step_path": es.adapt_sigma.ps,
            "covariance_path": es.pc,
            "scaling": np.broadcast_to(es.sigma_vec.scaling, self.n_parameters),
        }

    def _put(self, arrays: dict[str, AnyArray]) -> None:
        es = self._es
        es.mean = arrays["mean"]
        es.mean_old = es.mean
        es.sigma = float(arrays["step_size"])
        es.adapt_sigma.ps = arrays["step_path"]
        es.adapt_sigma._ps_updated_iteration = self.generation
        es.pc = arrays["covariance_path"]
        es.sigma_vec = self._scaling_of(arrays["scaling"])
        es.countiter = self.generation
        es.countevals = self.generation * self.population
        es._isotropic_mean_shift_iteration = self.generation
        # The state after a tell, even if this object was asked before.
        es._flgtelldone = True
        es.number_of_solutions_asked = 0


class CMAES(_PyCMA):
    """CMA-ES with a full covariance matrix.

    N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016, arXiv:1604.00772), by pycma, with
    cumulative step-size adaptation. It learns correlations between parameters and needs no tuning
    beyond ``init`` and ``sigma``.

    For up to about 1,000 parameters. Memory and the update of a generation grow with the square of
    the number of parameters, and the decomposition of the matrix every few generations with its
    cube. Learning the matrix also takes evaluations in the order of the square: a run with far
    fewer (825 parameters squared are 680,000) gains little over ``"cma-es-diagonal"``, the choice
    for all larger networks.

    Args:
        init: ``(n_parameters,)`` where the search starts, at least 2 parameters.
        population: Candidates of a generation, at least 4.
        sigma: Standard deviation of the first generation.
        seed: Seed of all random choices.
        active: Use the worse half for negative updates of the matrix (Jastrebski and Arnold, 2006).
        mean_learning_rate: Learning rate of the mean, above 0 and at most 1; values below 1 average
            over generations, for noisy fitness.

    Raises:
        ValueError: An argument is out of its range.
    """

    diagonal = False

    def _arrays(self) -> dict[str, AnyArray]:
        matrix = self._es.sm
        # Eigenvectors and axes belong to an earlier matrix: these counts decide when to update
        # them.
        return {
            **super()._arrays(),
            "covariance": matrix.C,
            "eigenvectors": matrix.B,
            "axes": matrix.D,
            "updates": np.array(matrix.count_tell, np.int64),
            "updates_at_decomposition": np.array(matrix.last_update, np.int64),
            "decompositions": np.array(matrix.count_eigen, np.int64),
        }

    def _put(self, arrays: dict[str, AnyArray]) -> None:
        super()._put(arrays)
        matrix = self._es.sm
        matrix.C, matrix.B, matrix.D = (
            arrays["covariance"],
            arrays["eigenvectors"],
            arrays["axes"],
        )
        matrix.count_tell = int(arrays["updates"])
        matrix.last_update = int(arrays["updates_at_decomposition"])
        matrix.count_eigen = int(arrays["decompositions"])
        self._es._updateBDfromSM()


class DiagonalCMAES(_PyCMA):
    """CMA-ES with a diagonal covariance matrix, also called separable.

    R. Ros and N. Hansen, "A Simple Modification in CMA-ES Achieving Linear Time and Space
    Complexity" (PPSN 2008), by pycma. It learns one variance per parameter, about ``n_parameters``
    times faster than a full matrix, but no correlations. Time and memory are linear in the number
    of parameters, so it suits networks of any size.

    Args:
        init: ``(n_parameters,)`` where the search starts, at least 2 parameters.
        population: Candidates of a generation, at least 4.
        sigma: Standard deviation of the first generation.
        seed: Seed of all random choices.
        active: Use the worse half for negative updates of the matrix (Jastrebski and Arnold, 2006).
        mean_learning_rate: Learning rate of the mean, above 0 and at most 1; values below 1 average
            over generations, for noisy fitness.

    Raises:
        ValueError: An argument is out of its range.
    """

    diagonal = True

    def _arrays(self) -> dict[str, AnyArray]:
        # pycma creates this attribute only when a step size overflows.
        deviations = getattr(self._es.sm, "standard_deviations", np.ones(self.n_parameters))
        return {**super()._arrays(), "deviations": deviations}

    def _put(self, arrays: dict[str, AnyArray]) -> None:
        super()._put(arrays)
        self._es.sm.standard_deviations = arrays["deviations"]
        self._es._updateBDfromSM()


@functools.cache
def _linear_algebra() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def _quiet_on_one_thread() -> Iterator[None]:
    """A single linear-algebra thread, and no warnings (pycma's concern its own options)."""
    with warnings.catch_warnings(), _linear_algebra().limit(limits=1, user_api="blas"):
        warnings.simplefilter("ignore")
        yield
