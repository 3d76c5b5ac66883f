"""CMA-ES: pycma's own trajectory, evaluations to a target, and nothing left behind."""

import os
import warnings

import cma
import numpy as np
import pytest
from cma.sigma_adaptation import CMAAdaptSigmaCSA
from threadpoolctl import threadpool_info, threadpool_limits

from evolve import seeds
from evolve.optimizers import make_optimizer

ROTATION = np.linalg.qr(np.random.default_rng(1).standard_normal((4, 4)))[0]

both = pytest.mark.parametrize("name", ["cma-es", "cma-es-diagonal"])


def ellipsoid(candidates, power=6.0):
    """Separable, condition 10**power; largest, 0, where all parameters are 0."""
    n = candidates.shape[1]
    scales = 10.0 ** (power * np.arange(n) / (n - 1))
    return -(scales * np.square(candidates.astype(np.float64))).sum(axis=1)


def sphere(candidates):
    return ellipsoid(candidates, 0.0)


class Normals:
    """The normal numbers of our generations, for pycma driven by hand."""

    def __init__(self, seed):
        self.seed, self.generation = seed, -1

    def __call__(self, *shape):
        self.generation += 1
        rng = seeds.generator(self.seed, seeds.OPTIMIZER, self.generation)
        return rng.standard_normal(shape)


def driven_by_hand(init, sigma, population, *, diagonal, seed):
    options = {
        "popsize": population,
        "CMA_diagonal": diagonal,
        "AdaptSigma": CMAAdaptSigmaCSA,
        "CMA_mirrors": 0,
        "seed": np.nan,
        "randn": Normals(seed),
        "verbose": -9,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cma.CMAEvolutionStrategy(init, sigma, options)


@both
@pytest.mark.parametrize(("n_parameters", "generations"), [(8, 60), (320, 10)])
def test_trajectory_equals_that_of_pycma(name, n_parameters, generations):
    """Bit for bit, once pycma's tell gets the rounded candidates too."""
    init = np.linspace(-1.0, 1.0, n_parameters)
    ours = make_optimizer(name, init, population=16, sigma=0.5, seed=3)
    with threadpool_limits(1):
        theirs = driven_by_hand(
            init.astype(np.float32), 0.5, 16, diagonal=name == "cma-es-diagonal", seed=3
        )
        for _ in range(generations):
            candidates = ours.ask()
            rounded = np.array(theirs.ask()).astype(np.float32)
            np.testing.assert_array_equal(candidates, rounded)
            ours.tell(ellipsoid(candidates))
            theirs.tell(list(rounded.astype(np.float64)), list(-ellipsoid(rounded)))
    np.testing.assert_array_equal(ours.state()["mean"], theirs.mean)
    assert ours.state()["step_size"] == theirs.sigma


def evaluations_to_target(optimizer, fitness, target=-1e-6, most=40_000):
    for generation in range(1, most // optimizer.population):
        candidates = optimizer.ask()
        scores = fitness(candidates)
        optimizer.tell(scores)
        if scores.max() >= target:
            return generation * optimizer.population
    raise AssertionError(f"not within {most} evaluations")


def evaluations_of_purecma(fitness, n_parameters, population, sigma, seed):
    """pycma's separate, short implementation of CMA-ES, on Python lists."""
    import random

    random.seed(seed)
    es = cma.purecma.CMAES([1.0] * n_parameters, sigma, popsize=population)
    for generation in range(1, 10_000):
        asked = es.ask()
        scores = fitness(np.array(asked))
        es.tell(asked, list(-scores))
        if scores.max() >= -1e-6:
            return generation * population
    raise AssertionError("not within 10,000 generations")


@pytest.mark.parametrize("fitness", [sphere, ellipsoid])
def test_full_cma_es_needs_as_many_evaluations_as_purecma(fitness):
    """Ours may need less, as the worse half teaches too; not half as many again."""
    ours = [
        evaluations_to_target(
            make_optimizer("cma-es", np.ones(6), population=9, sigma=0.5, seed=seed), fitness
        )
        for seed in range(3)
    ]
    theirs = [evaluations_of_purecma(fitness, 6, 9, 0.5, seed) for seed in range(3)]
    assert 0.5 * np.median(theirs) < np.median(ours) < 1.3 * np.median(theirs)


@pytest.mark.slow
def test_full_and_diagonal_each_win_on_their_problem():
    """On the separable ellipsoid the diagonal learns faster; on the rotated one only the full."""
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((8, 8)))[0]

    def rotated(candidates):
        return ellipsoid(candidates @ rotation)

    def evaluations(name, fitness, most):
        return evaluations_to_target(
            make_optimizer(name, np.ones(8), population=10, sigma=0.5, seed=2), fitness, most=most
        )

    full = evaluations("cma-es", ellipsoid, 20_000)
    assert evaluations("cma-es-diagonal", ellipsoid, 20_000) < 0.7 * full
    assert evaluations("cma-es", rotated, 20_000) < 1.5 * full
    with pytest.raises(AssertionError, match="not within"):
        evaluations("cma-es-diagonal", rotated, 3 * full)


def test_restore_is_exact_across_lazy_decompositions():
    """With 200 parameters the matrix is decomposed every third generation or so."""

    def optimizer():
        return make_optimizer("cma-es", np.ones(200), population=8, sigma=0.3, seed=1)

    straight = optimizer()
    asked, states, decompositions = [], [], []
    for _ in range(14):
        states.append(straight.state())
        asked.append(straight.ask())
        straight.tell(ellipsoid(asked[-1]))
        decompositions.append(int(states[-1]["decompositions"]))
    waits = np.diff(decompositions)
    assert 0 in waits  # some generations draw from an older matrix
    assert 1 in waits
    for generation in range(1, 14):
        resumed = optimizer()
        resumed.restore(states[generation])
        for candidates in asked[generation : generation + 5]:
            np.testing.assert_array_equal(resumed.ask(), candidates)
            resumed.tell(ellipsoid(candidates))


@both
def test_restore_is_exact_after_a_scaling_change(name):
    """A condition beyond float32, which brings the limits and the rescaling of coordinates."""

    def optimizer():
        return make_optimizer(name, np.zeros(4), population=6, sigma=0.5, seed=1)

    def fitness(candidates):
        return ellipsoid(candidates - 1, 12.0)

    straight = optimizer()
    states, asked = [], []
    for _ in range(300):
        states.append(straight.state())
        asked.append(straight.ask())
        straight.tell(fitness(asked[-1]))
    assert np.ptp([state["scaling"] for state in states], axis=0).min() > 0.0
    for generation in range(0, 290, 13):
        resumed = optimizer()
        resumed.restore(states[generation])
        for candidates in asked[generation : generation + 4]:
            np.testing.assert_array_equal(resumed.ask(), candidates)
            resumed.tell(fitness(candidates))


@both
def test_the_mean_is_recommended(name):
    optimizer = make_optimizer(name, np.ones(5), population=10, sigma=0.5, seed=1)
    optimizer.tell(sphere(optimizer.ask()))
    np.testing.assert_array_equal(
        optimizer.recommend(), optimizer.state()["mean"].astype(np.float32)
    )


@both
def test_no_file_is_accessed_and_nothing_is_printed(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cma_signals.in").write_text("{'timeout': 0, 'CMA_cmean': 0}")
    optimizer = make_optimizer(name, np.ones(5), population=10, sigma=0.5, seed=1)
    for _ in range(120):
        candidates = optimizer.ask()
        optimizer.tell(sphere(candidates))
    assert os.listdir(tmp_path) == ["cma_signals.in"]
    assert capfd.readouterr() == ("", "")
    assert np.abs(optimizer.recommend()).max() < 1e-3


@both
def test_linear_algebra_threads_are_restored(name):
    before = threadpool_info()
    optimizer = make_optimizer(name, np.ones(5), population=10, sigma=0.5, seed=1)
    optimizer.tell(sphere(optimizer.ask()))
    threads = {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}
    assert all(threads[pool["filepath"]] == pool["num_threads"] for pool in before)


@pytest.mark.slow
@both
@pytest.mark.parametrize(
    "fitness",
    [
        pytest.param(lambda candidates: sphere(candidates - 1), id="converged"),
        pytest.param(lambda candidates: candidates[:, 0].astype(float), id="unbounded"),
        pytest.param(lambda candidates: np.zeros(len(candidates)), id="flat"),
        pytest.param(lambda candidates: ellipsoid(candidates @ ROTATION - 1, 14.0), id="valley"),
    ],
)
def test_long_runs_stay_finite(name, fitness):
    """Where pycma alone would stop, underflow or overflow after some hundred generations."""
    optimizer = make_optimizer(name, np.zeros(4), population=6, sigma=0.5, seed=1)
    for _ in range(700):
        candidates = optimizer.ask()
        optimizer.tell(fitness(candidates))
    state = optimizer.state()
    assert all(np.isfinite(array).all() for array in state.values())
    assert len(np.unique(candidates, axis=0)) == 6
    assert 1e-12 < state["step_size"] < 1e12


@both
def test_extreme_scales_are_absorbed_without_changing_the_distribution(name, monkeypatch):
    def covariance(optimizer):
        state = optimizer.state()
        deviations = state["step_size"] * state["scaling"]
        matrix = state["covariance"] if name == "cma-es" else np.diag(state["deviations"] ** 2)
        return deviations[:, np.newaxis] * matrix * deviations

    optimizer = make_optimizer(name, np.ones(6), population=10, sigma=0.5, seed=1)
    for _ in range(30):
        optimizer.tell(ellipsoid(optimizer.ask()))
    before = covariance(optimizer)
    scaling = optimizer.state()["scaling"]
    monkeypatch.setattr("evolve.optimizers.cma_es._MOST_FACTOR", 1.0)
    optimizer._bound_deviations()
    assert not np.allclose(optimizer.state()["scaling"], scaling)
    np.testing.assert_allclose(covariance(optimizer), before, rtol=1e-9, atol=1e-12 * before.max())
