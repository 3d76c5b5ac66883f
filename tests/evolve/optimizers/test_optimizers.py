"""The optimizers: one shape, and each against a second implementation of its rules."""

import hashlib
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evolve import seeds
from evolve.genomes.operators import choose_parents, cross, draw_shares, mutate, parent_counts
from evolve.optimizers import OPTIMIZERS, make_optimizer, optimizer_names, option_names
from evolve.optimizers.base import centred_ranks

NAMES = ["genetic", "mutation", "cma-es", "cma-es-diagonal", "openai-es"]
every_optimizer = pytest.mark.parametrize("name", NAMES)


def sphere(candidates):
    """Largest, 0, where all parameters are 0."""
    return -np.square(candidates.astype(np.float64)).sum(axis=1)


def optimizer_of(name, n_parameters=6, *, population=12, sigma=0.3, seed=5, **options):
    init = np.linspace(-1.0, 1.0, n_parameters)
    return make_optimizer(name, init, population=population, sigma=sigma, seed=seed, **options)


def run(optimizer, generations, fitness=sphere):
    """The candidates of all generations."""
    asked = []
    for _ in range(generations):
        asked.append(optimizer.ask())
        optimizer.tell(fitness(asked[-1]))
    return asked


def test_names_match_the_factory():
    assert [name for name in optimizer_names() if name in NAMES] == NAMES


@every_optimizer
def test_every_option_has_a_help_text(name):
    shown = [one for one in fields(OPTIMIZERS[name]) if one.name != "lineages"]
    assert {one.name for one in shown} >= {"population", "sigma"}
    assert [one.name for one in shown if not one.type.__metadata__[0].help] == []


@every_optimizer
def test_candidates_are_read_only_float32_rows(name):
    candidates = optimizer_of(name).ask()
    assert candidates.shape == (12, 6)
    assert candidates.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        candidates[0, 0] = 1.0


@every_optimizer
def test_fitness_is_maximised(name):
    optimizer = optimizer_of(name, sigma=0.1)
    before = optimizer.recommend()
    run(optimizer, 60)
    after = optimizer.recommend()
    assert after.shape == (6,)
    assert after.dtype == np.float32
    assert sphere(after[np.newaxis]) > 0.5 * sphere(before[np.newaxis])


@every_optimizer
def test_equal_seeds_give_equal_runs_and_different_seeds_do_not(name):
    first, second, other = (run(optimizer_of(name, seed=s), 5) for s in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first[0], other[0])


@every_optimizer
@pytest.mark.parametrize("n_parameters", [6, 330])
def test_a_restore_after_ten_generations_does_not_change_the_run(name, n_parameters):
    straight = optimizer_of(name, n_parameters)
    asked = run(straight, 20)
    interrupted = optimizer_of(name, n_parameters)
    run(interrupted, 10)
    fresh = optimizer_of(name, n_parameters)
    fresh.restore(interrupted.state())
    np.testing.assert_array_equal(run(fresh, 10), asked[10:])
    state, expected = fresh.state(), straight.state()
    assert list(state) == list(expected)
    for array in expected:
        np.testing.assert_array_equal(state[array], expected[array])
    np.testing.assert_array_equal(fresh.recommend(), straight.recommend())


@every_optimizer
def test_a_used_optimizer_can_be_restored_to_a_state(name):
    optimizer = optimizer_of(name)
    run(optimizer, 3)
    state = optimizer.state()
    first = run(optimizer, 4)
    optimizer.ask()
    optimizer.restore(state)
    np.testing.assert_array_equal(run(optimizer, 4), first)


@every_optimizer
@pytest.mark.parametrize("generations", [0, 7])
def test_a_state_between_ask_and_tell_repeats_its_candidates(name, generations):
    optimizer = optimizer_of(name)
    run(optimizer, generations)
    candidates = optimizer.ask()
    fresh = optimizer_of(name)
    fresh.restore(optimizer.state())
    np.testing.assert_array_equal(fresh.ask(), candidates)
    for each in (optimizer, fresh):
        each.tell(sphere(candidates))
    np.testing.assert_array_equal(run(fresh, 3), run(optimizer, 3))


@every_optimizer
def test_a_state_is_arrays_and_a_copy(name):
    optimizer = optimizer_of(name)
    run(optimizer, 2)
    state = optimizer.state()
    kept = {key: array.copy() for key, array in state.items()}
    assert all(type(array) is np.ndarray and array.dtype.kind in "fi" for array in state.values())
    run(optimizer, 2)
    for key, array in kept.items():
        np.testing.assert_array_equal(state[key], array)
    fresh = optimizer_of(name)
    fresh.restore(state)
    run(fresh, 2)
    for key, array in kept.items():
        np.testing.assert_array_equal(state[key], array)


@every_optimizer
def test_only_the_order_of_fitness_counts(name):
    plain = run(optimizer_of(name), 5)
    stretched = run(optimizer_of(name), 5, lambda candidates: -np.expm1(-sphere(candidates)))
    np.testing.assert_array_equal(plain, stretched)


@every_optimizer
def test_numpys_global_generator_is_not_used(name):
    before = np.random.get_state()  # noqa: NPY002
    run(optimizer_of(name, 320), 6)
    after = np.random.get_state()  # noqa: NPY002
    np.testing.assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]


@every_optimizer
@settings(max_examples=15, deadline=None)
@given(
    n_parameters=st.integers(2, 9),
    half=st.integers(2, 8),
    fitness_seed=st.integers(0, 2**32),
    levels=st.integers(1, 4),
)
def test_any_finite_fitness_is_accepted(name, n_parameters, half, fitness_seed, levels):
    """Also with many ties, or all equal."""
    rng = np.random.default_rng(fitness_seed)
    optimizer = optimizer_of(name, n_parameters, population=2 * half)
    for candidates in run(optimizer, 6, lambda asked: rng.integers(levels, size=len(asked))):
        assert candidates.shape == (2 * half, n_parameters)
        assert np.isfinite(candidates).all()
    assert np.isfinite(optimizer.recommend()).all()


@every_optimizer
class TestErrors:
    def test_a_second_ask_is_refused(self, name):
        optimizer = optimizer_of(name)
        run(optimizer, 1)
        optimizer.ask()
        with pytest.raises(RuntimeError, match=r"ask was called twice: .* generation 1 first"):
            optimizer.ask()

    def test_tell_without_ask_is_refused(self, name):
        optimizer = optimizer_of(name)
        with pytest.raises(RuntimeError, match="tell was called without ask"):
            optimizer.tell(np.zeros(12))
        run(optimizer, 1)
        with pytest.raises(RuntimeError, match="tell was called without ask"):
            optimizer.tell(np.zeros(12))

    def test_invalid_fitness_leaves_the_candidates_pending(self, name):
        optimizer = optimizer_of(name)
        candidates = optimizer.ask()
        with pytest.raises(ValueError, match=r"12 candidates.*got shape \(11,\)"):
            optimizer.tell(np.zeros(11))
        with pytest.raises(ValueError, match=r"12 candidates.*got shape \(12, 1\)"):
            optimizer.tell(np.zeros((12, 1)))
        fitness = np.zeros(12)
        fitness[[3, 8]] = np.nan, np.inf
        with pytest.raises(ValueError, match=r"got nan at index 3 \(2 such value"):
            optimizer.tell(fitness)
        optimizer.tell(sphere(candidates))
        plain = optimizer_of(name)
        run(plain, 1)
        np.testing.assert_array_equal(optimizer.ask(), plain.ask())

    def test_wrong_behaviour_is_refused(self, name):
        optimizer = optimizer_of(name)
        optimizer.ask()
        with pytest.raises(ValueError, match=r"n_measures\); got shape \(12,\)"):
            optimizer.tell(np.zeros(12), np.zeros(12))
        with pytest.raises(ValueError, match=r"behaviour must be finite; got inf at index 2, 1"):
            optimizer.tell(np.zeros(12), np.where(np.arange(24).reshape(12, 2) == 5, np.inf, 0.0))

    def test_a_state_of_another_size_or_kind_is_refused(self, name):
        state = optimizer_of(name, 7).state()
        with pytest.raises(ValueError, match=r"expected \w+ of shape .*6.*; got .*7"):
            optimizer_of(name).restore(state)
        with pytest.raises(ValueError, match=r"has the arrays .*; got generation"):
            optimizer_of(name).restore({"generation": state["generation"]})
        state = {key: array.astype(complex) for key, array in optimizer_of(name).state().items()}
        with pytest.raises(ValueError, match=r"of type .*; got complex128"):
            optimizer_of(name).restore(state)

    def test_arguments_out_of_range_are_refused(self, name):
        with pytest.raises(ValueError, match=r"init must be one row .*; got shape \(2, 3\)"):
            make_optimizer(name, np.zeros((2, 3)), population=8, sigma=0.1, seed=0)
        with pytest.raises(ValueError, match="init must be finite; got nan at index 1"):
            make_optimizer(name, [0.0, np.nan], population=8, sigma=0.1, seed=0)
        with pytest.raises(ValueError, match=r"population must be at least [24]; got 1"):
            optimizer_of(name, population=1)
        with pytest.raises(TypeError, match="integer"):
            optimizer_of(name, population=8.0)
        for sigma in (0.0, -1.0, np.inf, np.nan):
            with pytest.raises(ValueError, match=f"sigma must be .* above 0; got {sigma}"):
                optimizer_of(name, sigma=sigma)
        with pytest.raises(ValueError, match="seed must not be negative; got -1"):
            optimizer_of(name, seed=-1)

    def test_an_unknown_option_is_named(self, name):
        options = ", ".join(option_names(name))
        with pytest.raises(ValueError, match=f"'{name}' has no option 'elite'; it has {options}"):
            optimizer_of(name, elite=3)


@pytest.mark.parametrize(
    ("population", "parents", "elites"), [(2, 1, 1), (19, 1, 1), (20, 2, 1), (40, 4, 2)]
)
def test_a_tenth_breeds_and_half_of_the_parents_of_mutants_survive(population, parents, elites):
    for name, survivors in (("genetic", parents), ("mutation", elites)):
        optimizer = optimizer_of(name, population=population)
        assert optimizer.n_selected == parents
        first = optimizer.ask()
        optimizer.tell(sphere(first))
        kept = first[np.argsort(-sphere(first))]
        same = (optimizer.ask()[:, np.newaxis] == kept).all(axis=2)
        np.testing.assert_array_equal(np.flatnonzero(same.any(axis=0)), np.arange(survivors))


def test_all_but_one_may_breed():
    assert optimizer_of("mutation", parents=11, population=12).n_selected == 11
    with pytest.raises(ValueError, match=r"parents must be in 1 \.\. 11; got 12"):
        optimizer_of("mutation", parents=12, population=12)


def test_one_number_may_be_evolved():
    for name in optimizer_names():
        if not name.startswith("cma-es"):
            assert optimizer_of(name, 1, population=4).ask().shape == (4, 1)


def test_the_usual_settings_are_64_candidates_and_small_steps():
    for name in optimizer_names():
        settings = OPTIMIZERS[name]()
        assert (settings.population, settings.sigma, settings.lineages) == (64, 0.1, 1)
    assert OPTIMIZERS["mutation"](population=2).population == 2
    with pytest.raises(ValueError, match="population must be at least 2; got 1"):
        OPTIMIZERS["mutation"](population=1)


def test_unknown_optimizer_is_named():
    with pytest.raises(ValueError, match=r"no optimizer 'cmaes'; there are genetic, .*cma-es"):
        optimizer_of("cmaes")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("genetic", {"elites": 12}, r"elites must be in 1 \.\. 11; got 12"),
        ("genetic", {"mutation_rate": 1.5}, r"mutation_rate must be .* in 0 \.\. 1; got 1\.5"),
        ("genetic", {"parents_mean": -1.0}, "parents_mean must be .* at least 0; got -1.0"),
        ("genetic", {"initial_sigma": -1.0}, r"initial_sigma must be .*; got -1.0"),
        ("mutation", {"parents": 0}, r"parents must be in 1 \.\. 11; got 0"),
        ("mutation", {"elites": 12}, r"elites must be in 1 \.\. 11; got 12"),
        ("cma-es", {"mean_learning_rate": 0.0}, r"in 0 \.\. 1 above 0; got 0\.0"),
        ("openai-es", {"population": 11}, r"population must be even.*; got 11"),
        ("openai-es", {"learning_rate": 0.0}, r"learning_rate must be .* above 0; got 0\.0"),
        ("openai-es", {"learning_rate": 0.1, "weight_decay": 10.0}, r"below 1 / .*\(10\); got 10"),
    ],
)
def test_options_out_of_range_are_named(name, options, message):
    with pytest.raises(ValueError, match=message):
        optimizer_of(name, **options)


# --- Genetic algorithms


@pytest.mark.parametrize(
    ("name", "novelty", "digest"),
    [
        ("genetic", False, "a49373ceffcfd51c"),
        ("genetic", True, "6a37ab9357569a8a"),
        ("mutation", False, "e9b2c9bda04c2978"),
        ("mutation", True, "35a5b993387495f6"),
    ],
)
def test_the_candidates_of_version_1_0_0_are_frozen(name, novelty, digest):
    optimizer = optimizer_of(name, population=40, novelty=novelty)
    found = hashlib.sha256()
    for _ in range(8):
        candidates = optimizer.ask()
        found.update(candidates.tobytes())
        optimizer.tell(sphere(candidates), candidates[:, :2])
    found.update(optimizer.recommend().tobytes())
    assert found.hexdigest()[:16] == digest


def test_genetic_children_match_the_published_operators():
    optimizer = optimizer_of("genetic", 40, population=30, elites=4, mutation_rate=0.3, sigma=0.2)
    first = optimizer.ask()
    optimizer.tell(sphere(first))
    elites = first[np.argsort(-sphere(first))[:4]]
    rng = seeds.generator(5, seeds.OPTIMIZER, 1)
    counts = parent_counts(26, mean=1.5, most=4, rng=rng)
    parents = choose_parents(counts, 4, rng=rng)
    shares = draw_shares(counts, parents.shape[1], rng=rng)
    children = mutate(cross(elites, parents, shares), mutation_rate=0.3, deviation=0.2, rng=rng)
    second = optimizer.ask()
    np.testing.assert_array_equal(second[:4], elites)
    np.testing.assert_array_equal(second[4:], children.astype(np.float32))


def test_first_genetic_generation_is_the_start_and_noise_around_it():
    optimizer = optimizer_of("genetic", 400, population=300, initial_sigma=0.5)
    init = np.linspace(-1.0, 1.0, 400)
    candidates = optimizer.ask()
    np.testing.assert_array_equal(candidates[0], init.astype(np.float32))
    assert (candidates[1:] - init).std() == pytest.approx(0.5, rel=0.01)


def test_every_mutant_is_one_of_the_best_plus_noise():
    optimizer = optimizer_of(
        "mutation", 300, population=60, parents=3, elites=2, sigma=0.01, initial_sigma=1.0
    )
    first = optimizer.ask()
    optimizer.tell(sphere(first))
    best = first[np.argsort(-sphere(first))[:3]]
    second = optimizer.ask()
    np.testing.assert_array_equal(second[:2], best[:2])
    distances = np.linalg.norm(second[2:, np.newaxis] - best, axis=2)
    nearest = distances.min(axis=1)
    # 0.01 noise on each of 300 parameters, against 1.0 between the parents.
    np.testing.assert_allclose(nearest, 0.01 * np.sqrt(300), rtol=0.2)
    assert set(distances.argmin(axis=1)) == {0, 1, 2}


def test_centred_ranks_share_ties():
    np.testing.assert_allclose(centred_ranks(np.array([5.0, 1.0, 5.0, 9.0])), [0.0, -0.5, 0.0, 0.5])
    np.testing.assert_array_equal(centred_ranks(np.full(5, 3.0)), np.zeros(5))


def test_the_recommended_elite_is_the_best_on_re_evaluation():
    optimizer = optimizer_of("genetic", 1, population=4, elites=2)
    good, _, _, lucky = optimizer.ask()
    optimizer.tell([10.0, 5.0, 1.0, 99.0])
    assert optimizer.recommend() == lucky  # no evidence against it yet
    second = optimizer.ask()
    np.testing.assert_array_equal(second[:2], [lucky, good])
    # The overestimated one falls back, the good one stays; a newcomer is overestimated in turn.
    optimizer.tell([2.0, 9.0, 50.0, 1.0])
    state = optimizer.state()
    np.testing.assert_array_equal(state["elites"], [second[2], good])
    assert optimizer.recommend() == good
    np.testing.assert_array_equal(state["elite_evaluations"], [0, 1])
    np.testing.assert_allclose(state["elite_rank_sums"], [0.0, 1 / 6])


# --- OpenAI-ES


def test_openai_es_candidates_are_mirrored():
    optimizer = optimizer_of("openai-es", 50, population=40, sigma=0.25)
    candidates = optimizer.ask().astype(np.float64)
    init = np.linspace(-1.0, 1.0, 50)
    noise = candidates[:20] - init
    np.testing.assert_allclose(noise, init - candidates[20:], atol=1e-6)
    assert noise.std() == pytest.approx(0.25, rel=0.1)


def test_openai_es_steps_match_the_paper():
    """Against the estimator and Adam written out, number by number."""
    optimizer = optimizer_of(
        "openai-es", 3, population=6, sigma=0.1, learning_rate=0.02, weight_decay=0.5
    )
    mean = np.linspace(-1.0, 1.0, 3)
    first, second = np.zeros(3), np.zeros(3)
    for t in range(1, 6):
        candidates = optimizer.ask().astype(np.float64)
        fitness = sphere(candidates)
        optimizer.tell(fitness)
        gradient = np.zeros(3)
        for i in range(6):
            rank = sum(fitness[j] < fitness[i] for j in range(6)) / 5 - 0.5
            gradient += rank * (candidates[i] - mean) / 0.1 / (6 * 0.1)
        for k in range(3):
            first[k] = 0.9 * first[k] + 0.1 * gradient[k]
            second[k] = 0.999 * second[k] + 0.001 * gradient[k] ** 2
            corrected = (first[k] / (1 - 0.9**t)) / ((second[k] / (1 - 0.999**t)) ** 0.5 + 1e-8)
            mean[k] += 0.02 * corrected - 0.02 * 0.5 * mean[k]
        np.testing.assert_allclose(optimizer.recommend(), mean, rtol=1e-4, atol=1e-6)


def test_openai_es_noise_and_learning_rate_halve_in_a_half_life():
    steady = optimizer_of("openai-es", 200, population=40, sigma=0.25)
    falling = optimizer_of("openai-es", 200, population=40, sigma=0.25, half_life=3)
    assert (steady.ask() == falling.ask()).all()
    for optimizer in (steady, falling):
        optimizer.tell(np.zeros(40))
        run(optimizer, 5, lambda candidates: np.zeros(len(candidates)))
    init = np.linspace(-1.0, 1.0, 200)
    np.testing.assert_allclose(falling.ask() - init, (steady.ask() - init) / 4.0, atol=1e-6)
    before = np.array(falling.recommend(), np.float64)
    falling.tell(np.arange(40.0))
    # The first step of Adam after none has the size of the rate, 0.125 in the beginning, over the
    # square root of what bias correction takes from seven generations.
    moved = np.abs(falling.recommend() - before).max()
    assert moved == pytest.approx(0.125 / 4.0 * _adam_after(7), rel=0.01)


def _adam_after(generations: int) -> float:
    """Size of the direction of Adam where the last gradient is the only one."""
    return (0.1 / (1 - 0.9**generations)) / (0.001 / (1 - 0.999**generations)) ** 0.5


def test_openai_es_recommends_the_average_of_its_means():
    plain = optimizer_of("openai-es", 3, population=6, learning_rate=0.1)
    averaged = optimizer_of("openai-es", 3, population=6, learning_rate=0.1, averaging=0.75)
    average = np.linspace(-1.0, 1.0, 3)
    for _ in range(6):
        for optimizer in (plain, averaged):
            optimizer.tell(sphere(optimizer.ask().astype(np.float64)))
        average = 0.75 * average + 0.25 * plain.recommend()
        np.testing.assert_allclose(averaged.recommend(), average, rtol=1e-5)
    other = optimizer_of("openai-es", 3, population=6, learning_rate=0.1, averaging=0.75)
    other.restore(averaged.state())
    np.testing.assert_array_equal(other.recommend(), averaged.recommend())


@pytest.mark.parametrize(("name", "value"), [("half_life", -1), ("averaging", 1.0)])
def test_openai_es_refuses_invalid_schedules(name, value):
    with pytest.raises(ValueError, match=name):
        optimizer_of("openai-es", **{name: value})


def test_openai_es_does_not_move_on_equal_fitness():
    optimizer = optimizer_of("openai-es")
    before = optimizer.recommend()
    run(optimizer, 5, lambda candidates: np.full(len(candidates), 7.0))
    np.testing.assert_array_equal(optimizer.recommend(), before)
