"""The OpenAI evolution strategy: gradient estimation from mirrored noise."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evolve.optimizers.ask_tell import AskTell
from evolve.optimizers.base import centred_ranks
from nlhe_env.arguments import number, whole_number
from nlhe_env.jit.array_types import F32, F64

_MEAN_DECAY = 0.9
_SQUARE_DECAY = 0.999
_EPSILON = 1e-8


class OpenAIES(AskTell):
    """Evolution strategy with a normal distribution of fixed width and Adam steps.

    T. Salimans et al., "Evolution Strategies as a Scalable Alternative to Reinforcement Learning"
    (2017, arXiv:1703.03864): candidates are pairs ``mean ± sigma × noise``, fitness counts only by
    its centred rank, and the estimated gradient of the mean is applied by Adam (Kingma and Ba,
    2015; decays 0.9 and 0.999). Weight decay is decoupled from the gradient (Loshchilov and Hutter,
    2019): the paper's form would depend on the scale of the gradient.

    It has the cheapest generations at any number of parameters. The width of the noise does not
    adapt, but can decay. With mostly random fitness the mean fluctuates around a solution; then the
    average of the means of many generations is better than any single mean (B. Polyak and A.
    Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992).

    Args:
        init: ``(n_parameters,)`` where the search starts.
        population: Candidates of a generation, an even number.
        sigma: Standard deviation of the noise (paper: 0.02).
        seed: Seed of all random choices.
        learning_rate: Approximate change of each parameter per step. By default half of ``sigma``,
            as in the paper.
        weight_decay: Share of the parameters removed at each step, in units of ``learning_rate``.
        half_life: Generations in which noise and learning rate halve; 0 for constant values.
        weight_size: Root mean square to which the mean is rescaled after each step; 0 for no
            rescaling. For players that depend on the direction of their weights, where noise has
            less effect the larger the weights are.
        averaging: Weight of the average of earlier means in each generation, 0 to below 1: with 0.9
            the recommended player is roughly the mean of the last ten generations. 0 for none.

    Raises:
        ValueError: An argument is out of its range.
    """

    racing = False
    state_arrays: tuple[str, ...] = ("mean", "gradient_mean", "gradient_square")

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        learning_rate: float | None = None,
        weight_decay: float = 0.0,
        half_life: int = 0,
        averaging: float = 0.0,
        weight_size: float = 0.0,
    ) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        if self.population % 2:
            raise ValueError(
                f"population must be even, since candidates are mirrored pairs; got {population}"
            )
        rate = sigma / 2 if learning_rate is None else learning_rate
        self.learning_rate = number("learning_rate", rate, least=0.0, above=True)
        if not 0.0 <= weight_decay * self.learning_rate < 1.0:
            raise ValueError(
                f"weight_decay must be from 0 to below 1 / learning_rate "
                f"({1.0 / self.learning_rate:g}); got {weight_decay}"
            )
        self.weight_decay = float(weight_decay)
        if not 0.0 <= averaging < 1.0:
            raise ValueError(f"averaging must be from 0 to below 1; got {averaging}")
        self.weight_size = number("weight_size", weight_size, least=0.0)
        self.half_life = whole_number("half_life", half_life, least=0)
        self.averaging = float(averaging)
        if self.averaging:
            self.state_arrays = (*self.state_arrays, "average")
        self._mean: F64 = self._sized(self.init.astype(np.float64))
        self._gradient_mean: F64 = np.zeros(self.n_parameters)
        self._gradient_square: F64 = np.zeros(self.n_parameters)
        self._average: F64 = self._mean.copy()

    @property
    def annealing(self) -> float:
        """Factor of noise and learning rate in the present generation."""
        return 0.5 ** (self.generation / self.half_life) if self.half_life else 1.0

    def recommend(self) -> F32:
        """The mean of the distribution, or the average of its recent means."""
        return (self._average if self.averaging else self._mean).astype(np.float32)

    def _sample(self, rng: np.random.Generator) -> F64:
        noise = (
            self.sigma
            * self.annealing
            * rng.standard_normal((self.population // 2, self.n_parameters))
        )
        return np.vstack([self._mean + noise, self._mean - noise])

    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        half = self.population // 2
        ranks = centred_ranks(fitness)
        sigma = self.sigma * self.annealing
        weights = (ranks[:half] - ranks[half:]) / (self.population * sigma)
        # The noise as played, after rounding. Not a matrix product, whose order of additions
        # depends on the machine's linear-algebra library.
        noise = (candidates[:half].astype(np.float64) - candidates[half:]) / (2.0 * sigma)
        gradient = (weights[:, np.newaxis] * noise).sum(axis=0)
        steps = self.generation + 1
        self._gradient_mean = _MEAN_DECAY * self._gradient_mean + (1.0 - _MEAN_DECAY) * gradient
        self._gradient_square = (
            _SQUARE_DECAY * self._gradient_square + (1.0 - _SQUARE_DECAY) * gradient**2
        )
        direction = (self._gradient_mean / (1.0 - _MEAN_DECAY**steps)) / (
            np.sqrt(self._gradient_square / (1.0 - _SQUARE_DECAY**steps)) + _EPSILON
        )
        rate = self.learning_rate * self.annealing
        kept = 1.0 - rate * self.weight_decay
        self._mean = self._sized(kept * self._mean + rate * direction)
        self._average = self.averaging * self._average + (1.0 - self.averaging) * self._mean

    def _sized(self, mean: F64) -> F64:
        """The mean rescaled to ``weight_size``."""
        size = np.sqrt(np.mean(np.square(mean)))
        return mean * (self.weight_size / size) if self.weight_size and size else mean
