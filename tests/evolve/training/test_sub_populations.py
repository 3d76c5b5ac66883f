"""Sub-populations outside tournaments: they meet, race and give the champion of all."""

import numpy as np
import pytest

import agents
import evolve
from evolve.training.config import Config
from evolve.training.fitness import normalised_earnings
from evolve.training.run import learn_from, play_generation, step_generation
from evolve.training.state import State

BLOCKS = Config().with_values(
    game="cash",
    table_size=2,
    schedule="blocks",
    opponents="pool",
    hidden=(2,),
    population=8,
    elites=2,
    sub_populations=2,
    blocks=6,
    num_hands=10,
    named=("caller", "raiser"),
    generations=2,
    progress_tournaments=0,
)
TABLES = BLOCKS.with_values(schedule="tables", table_size=4, rounds=4)
GROUPS = [slice(0, 4), slice(4, 8)]


def evaluated(config):
    """The fitness of a first generation, and the state after it."""
    state = State.initial_state(config)
    with evolve.thread_workers(1) as workers:
        played = play_generation(state, config, workers=workers)
    learn_from(state, config, *played)
    return played[1].candidate_scores.fitness, state


def of_champions(values, fitness=None):
    """The score of the best member of each sub-population."""
    return [
        values[rows][np.argmax((values if fitness is None else fitness)[rows])] for rows in GROUPS
    ]


@pytest.mark.parametrize("config", [BLOCKS, TABLES], ids=["blocks", "tables"])
def test_the_best_champion_of_all_is_recommended(tmp_path, config, workers):
    chosen = set()
    for seed in range(1, 9):
        fitness, state = evaluated(config.with_values(seed=seed))
        chosen.add(state.best)
        assert state.best == int(np.argmax(of_champions(fitness)))
    assert chosen == {0, 1}
    seed = next(n for n in range(1, 99) if evaluated(config.with_values(seed=n))[1].best == 1)
    config = config.with_values(seed=seed, generations=1)
    folder = evolve.RunFolder.create(tmp_path, config)
    evolve.train(folder, config, State.initial_state(config), workers=workers)
    deployed = agents.load_player(folder.path / "champion.npz").weights
    np.testing.assert_array_equal(deployed, folder.champion(1).weights)
    assert (deployed != folder.champion(0).weights).any()


def test_champions_are_compared_on_one_scale(monkeypatch):
    """Normalised by what the own sub-population won, the weaker one could look better."""
    config, seen = BLOCKS.with_values(fitness="normalised"), []

    def kept(earnings, least):
        seen.append(normalised_earnings(earnings, least))
        return seen[-1]

    monkeypatch.setattr("evolve.training.fitness.normalised_earnings", kept)
    own_measures_mislead = False
    for seed in range(12, 30):
        seen.clear()
        fitness, state = evaluated(config.with_values(seed=seed))
        *own, together = seen
        np.testing.assert_array_equal(fitness, np.concatenate(own))
        assert state.best == int(np.argmax(of_champions(together, fitness)))
        own_measures_mislead |= state.best != int(np.argmax(of_champions(fitness)))
    assert own_measures_mislead


@pytest.mark.parametrize("values", [{"fitness": "normalised"}, {"standardised_after": 1}])
def test_mean_scores_of_sub_populations_have_the_unit_of_all(values, workers):
    """Fitness counts otherwise, but metrics are big blinds per 100 hands."""
    config = BLOCKS.with_values(**values)
    state = State.initial_state(config)
    for _ in range(2):
        state, line = step_generation(state, config, workers=workers)
    means = [part["mean_score"] for part in line["sub_populations"]]
    assert np.mean(means) == pytest.approx(line["mean_score"])
    assert all(abs(mean) > 10 for mean in means)


def test_sub_populations_sit_at_the_same_tables(workers):
    seen = []

    def backend(batch, schedule, game, **rest):
        seen.append(schedule.lineups)
        return agents.play(batch, schedule, game, **rest)

    play_generation(State.initial_state(TABLES), TABLES, workers=workers, backend=backend)
    tables = np.concatenate(seen)
    assert tables.max() < 8
    assert ((tables < 4).any(axis=1) & (tables >= 4).any(axis=1)).any()


def test_every_sub_population_has_its_own_cutoff():
    optimizer = BLOCKS.with_values(elites=4).optimizer
    made = optimizer.make(BLOCKS.genomes, BLOCKS.variation, 1)
    assert (made.n_selected, made.groups) == (2, GROUPS)


def test_no_candidate_races_when_all_survive():
    config = BLOCKS.with_values(elites=8, racing_rounds=1)
    _, state = evaluated(config)
    assert (state.metrics["raced"], state.metrics["racing_hands"]) == ([], 0)
