"""MAP-Elites: the grid, proving oneself in noise, and going on from a state."""

import re
import subprocess
import sys

import numpy as np
import pytest

from evolve.evaluation.behaviour.style_map import draw_style_map
from evolve.optimizers import make_optimizer, option_names
from evolve.optimizers.map_elites import MAPElites
from nlhe_env.extras import install_command

pytest.importorskip("ribs")

CELLS = (6, 5)


def make(population: int = 20, **options) -> MAPElites:
    options = {"measures": (0, 1), "cells": CELLS, "initial_sigma": 0.3, **options}
    return MAPElites(np.full(4, 0.5), population=population, sigma=0.1, seed=3, **options)


def toy(candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Behaviour is the first two parameters; fitness falls with the square of the others."""
    return -np.square(candidates[:, 2:]).sum(axis=1).astype(np.float64), candidates[:, :2]


def run(optimizer: MAPElites, generations: int, *, noise: float = 0.0, seed: int = 0) -> None:
    for _ in range(generations):
        fitness, behaviour = toy(optimizer.ask())
        rng = np.random.default_rng((seed, optimizer.generation))
        fitness = fitness + noise * rng.standard_normal(len(fitness))
        behaviour = behaviour + 0.1 * noise * rng.standard_normal(behaviour.shape)
        optimizer.tell(fitness, behaviour)


def cell_of(point: np.ndarray) -> tuple[int, ...]:
    sides = np.array(CELLS)
    return tuple(np.clip(np.floor(point * sides + 1e-6), 0, sides - 1).astype(int).tolist())


def elites(optimizer: MAPElites) -> dict[tuple[int, ...], tuple[float, np.ndarray]]:
    data = optimizer.archive().data()
    rows = zip(data["objective"], data["measures"], data["solution"], strict=True)
    return {cell_of(point): (float(fitness), weights) for fitness, point, weights in rows}


def test_without_noise_the_archive_holds_the_best_of_every_cell():
    optimizer = make(trials=0)
    best: dict[tuple[int, ...], tuple[float, np.ndarray]] = {}
    for _ in range(30):
        candidates = optimizer.ask()
        fitness, behaviour = toy(candidates)
        for one, value, point in zip(candidates, fitness, behaviour, strict=True):
            cell = cell_of(point.astype(np.float64))
            if cell not in best or value > best[cell][0]:
                best[cell] = float(value), one
        optimizer.tell(fitness, behaviour)
    found = elites(optimizer)
    assert found.keys() == best.keys()
    for cell, (value, weights) in best.items():
        assert found[cell][0] == value
        np.testing.assert_array_equal(found[cell][1], weights)
    champion = max(best.values(), key=lambda entry: entry[0])[1]
    np.testing.assert_array_equal(optimizer.recommend(), champion)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_the_archive_fills_and_its_elites_improve(noise):
    optimizer = make(population=40)

    def truth() -> tuple[int, float]:
        solutions = optimizer.archive().data("solution")
        return len(solutions), float(toy(solutions)[0].mean())

    run(optimizer, 2, noise=noise)
    filled_early, fitness_early = truth()
    run(optimizer, 100, noise=noise)
    filled, fitness = truth()
    assert filled > filled_early
    assert filled >= 0.9 * optimizer.n_cells
    assert fitness > fitness_early / 2  # half way to the optimum, 0, or nearer
    assert toy(optimizer.recommend()[np.newaxis])[0] > -0.2


def test_with_noise_proven_elites_beat_the_luckiest():
    proven, luckiest = [], []
    for seed in range(3):
        for trials, found in ((2, proven), (0, luckiest)):
            optimizer = make(population=40, trials=trials)
            run(optimizer, 80, noise=0.5, seed=seed)
            archive = optimizer.archive()
            found.append(toy(archive.data("solution"))[0].mean())
            bias = archive.data("objective").mean() - found[-1]
            assert abs(bias) < 0.35 if trials else bias > 0.5
    assert np.mean(proven) > np.mean(luckiest)


def lucky(optimizer: MAPElites, fitness: dict[int, float], *, at: float = 0.05) -> None:
    """A generation in one cell, of fitness 0 but for some candidates."""
    n = len(optimizer.ask())
    values = np.zeros(n)
    for i, value in fitness.items():
        values[i] = value
    optimizer.tell(values, np.full((n, 2), at))


def test_a_lucky_candidate_takes_no_cell_before_re_evaluation():
    optimizer = make(population=4, reevaluated=0.5)
    lucky(optimizer, {})
    first = optimizer.archive().data("solution")[0]
    children = optimizer.ask().copy()
    np.testing.assert_array_equal(children[0], first)  # the elite is evaluated again
    lucky_child = children[2]
    optimizer.tell([0.0, 0.0, 9.0, 0.0], np.full((4, 2), 0.05))
    np.testing.assert_array_equal(optimizer.archive().data("solution")[0], first)
    np.testing.assert_array_equal(optimizer.ask()[:2], [first, lucky_child])
    optimizer.tell([0.0, -1.0, 0.0, 0.0], np.full((4, 2), 0.05))  # the first score was luck
    np.testing.assert_array_equal(optimizer.archive().data("solution")[0], first)
    assert not (optimizer.ask()[1:] == lucky_child).all(axis=1).any()


def test_a_proven_challenger_takes_the_cell():
    optimizer = make(population=4, reevaluated=0.5, trials=2)
    lucky(optimizer, {})
    child = optimizer.ask()[2].copy()
    optimizer.tell([0.0, 0.0, 9.0, 0.0], np.full((4, 2), 0.05))
    for _ in range(2):
        np.testing.assert_array_equal(optimizer.ask()[1], child)
        optimizer.tell([0.0, 3.0, 0.0, 0.0], np.full((4, 2), 0.05))
    data = optimizer.archive().data()
    np.testing.assert_array_equal(data["solution"][0], child)
    assert data["objective"][0] == 3.0  # the mean of the re-evaluations, without the first 9
    assert data["evaluations"][0] == 2
    np.testing.assert_array_equal(optimizer.recommend(), child)


def test_an_elite_moves_to_the_cell_of_its_mean_behaviour():
    optimizer = make(population=2, reevaluated=0.5)
    lucky(optimizer, {})
    optimizer.ask()
    # Seen at 0.05 first, now at 0.95: on average in the middle. The child goes far away.
    optimizer.tell([0.0, -1.0], [[0.95, 0.95], [0.99, 0.01]])
    assert set(elites(optimizer)) == {(3, 2), (5, 0)}


@pytest.mark.parametrize("asked", [False, True])
def test_a_restored_search_equals_an_uninterrupted_one(asked):
    whole = make()
    run(whole, 12, noise=0.2)
    stopped = make()
    run(stopped, 7, noise=0.2)
    if asked:
        stopped.ask()
    other = make()
    other.restore({name: np.array(array) for name, array in stopped.state().items()})
    run(other, 5, noise=0.2)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(other.state()[name], array)
    np.testing.assert_array_equal(other.ask(), whole.ask())
    np.testing.assert_array_equal(other.recommend(), whole.recommend())


def test_states_are_arrays_of_numbers():
    optimizer = make()
    before = optimizer.state()
    run(optimizer, 3)
    for name, array in optimizer.state().items():
        assert array.dtype.kind in "fi"
        assert array.shape == before[name].shape


def test_behaviour_is_needed():
    optimizer = make()
    n = len(optimizer.ask())
    with pytest.raises(ValueError, match="columns 0, 1; got none"):
        optimizer.tell(np.zeros(n))
    with pytest.raises(ValueError, match="got 1 measures"):
        optimizer.tell(np.zeros(n), np.zeros((n, 1)))
    optimizer.tell(np.zeros(n), np.zeros((n, 6)))
    assert optimizer.generation == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cells": (6,)}, "one value for each dimension"),
        ({"cells": (6, 0)}, "at least 1"),
        ({"measures": (0, -1)}, "columns from 0"),
        ({"lowest": (0.0, 1.0)}, "below highest"),
        ({"trials": -1}, "trials must be at least 0; got -1"),
        ({"reevaluated": 0.01}, "is less than one"),
        ({"line": 0.0}, "line must be"),
    ],
)
def test_invalid_arguments_are_reported(options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


def test_map_elites_is_made_by_name_and_imports_pyribs_lazily():
    assert "reevaluated" in option_names("map-elites")
    made = make_optimizer("map-elites", np.zeros(3), population=8, sigma=0.1, seed=1, cells=(4, 4))
    assert made.ask().shape == (8, 3)
    program = "import sys, evolve.optimizers; sys.exit('ribs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_pyribs_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ribs", None)
    with pytest.raises(ImportError, match=re.escape(f"needs ribs: {install_command('qd')}")):
        make()


# The map.


def test_the_map_shows_every_elite_and_the_known_players(tmp_path):
    optimizer = make(trials=0)
    with pytest.raises(ValueError, match="it is empty"):
        draw_style_map(optimizer.archive(), tmp_path / "map.png")
    run(optimizer, 3)
    plain = draw_style_map(optimizer.archive(), tmp_path / "map.png").read_bytes()
    known = {"caller": (1.0, 0.0)}
    marked = draw_style_map(optimizer.archive(), tmp_path / "known.png", players=known, title="t")
    assert plain.startswith(b"\x89PNG")
    assert marked.read_bytes() != plain
    again = draw_style_map(optimizer.archive(), tmp_path / "again.png").read_bytes()
    assert again == plain


def test_a_map_needs_exactly_two_measures(tmp_path):
    three = make(measures=(0, 1, 2), cells=(2, 2, 2), lowest=(0,) * 3, highest=(1,) * 3)
    with pytest.raises(ValueError, match="the archive has 3"):
        draw_style_map(three.archive(), tmp_path / "map.png")
