"""Runs with sub-populations and options: what they store, and that they resume to the same."""

import numpy as np
import pytest
from training_runs import TOURNAMENTS, Ending, go_on

import agents
from agents.match.workers.base import thread_workers
from evolve import seeds
from evolve.files.safe import read_arrays, read_lines
from evolve.optimizers import rollback
from evolve.training.folder import RunFolder
from evolve.training.run import play_generation, step_generation
from evolve.training.state import State

CONFIG = TOURNAMENTS.with_values(name="options", population=16, elites=4, tournaments=4)
TWO = CONFIG.with_values(sub_populations=2, hall_of_fame=8)
OPTIONS = {
    "two sub-populations with halls": {"sub_populations": 2, "hall_of_fame": 8},
    "four sub-populations": {"sub_populations": 4},
    "hands won": {
        "fitness": {"kind": "hands_won", "hands_won_weight": 0.6, "champion_criterion": "hands"}
    },
    "mean money": {"fitness": "mean_money", "hall_of_fame": 4},
    "sharing": {"fitness": "sharing", "hall_of_fame": 4},
    "phantom": {"phantom": True, "sub_populations": 2},
    "brood_size": {"brood_size": 3, "brood_tournaments": 2, "sub_populations": 2},
    "parents from the hall": {"hall_of_fame": 8, "hall_parents": 0.5},
    "rollback": {"hall_of_fame": 8, "rollback": 1, "phantom": True, "sub_populations": 2},
    "parents by rank": {"parents_by": "rank", "hall_of_fame": 8},
    "parents by novelty": {
        "parents_by": "novelty",
        "hall_of_fame": 8,
        "rollback": 1,
        "sub_populations": 2,
    },
    "elite memory": {"elite_memory": True, "hall_of_fame": 8, "rollback": 1, "sub_populations": 2},
    "champion": {"elites": 1, "champion_step": 0.3, "init": "zeros"},
    "two hidden layers": {"hidden": (6, 4)},
    "teams of programs": {"genomes": "teams", "hall_of_fame": 4},
    "opponents": {"inputs": "features_opponents"},
    "topographies": {"genomes": "topographies", "init": "scratch", "hall_of_fame": 4},
}


def one_generation(state, config):
    with thread_workers(2) as workers:
        return step_generation(state, config, workers=workers)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_run_with_options_resumes_to_the_same_files(options, tmp_path):
    config = CONFIG.with_values(**options)
    straight, stopped = (RunFolder.create(tmp_path / name, config) for name in ("one", "two"))
    go_on(straight, config)
    for generation in (3, 5):
        with pytest.raises(KeyboardInterrupt):
            go_on(stopped, config, listener=Ending(end_in=generation), threads=1)
    go_on(stopped, config)
    names = ["metrics.jsonl", "champions.npz", "checkpoints/000005.npz"]
    if config.opponents.hall_of_fame:
        names.append("hall_of_fame.npz")
    assert (straight.path / "hall_of_fame.npz").exists() == bool(config.opponents.hall_of_fame)
    if config.optimizer.sub_populations > 1:
        names += [f"champion-{i + 1}.npz" for i in range(config.optimizer.sub_populations)]
    for name in names:
        if name.startswith("champion-"):
            one, two = (agents.load_player(run.path / name) for run in (straight, stopped))
            assert one.weights.tobytes() == two.weights.tobytes()
            assert one.origin == two.origin
            continue
        assert (straight.path / name).read_bytes() == (stopped.path / name).read_bytes(), name


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A run of two sub-populations with halls of fame."""
    folder = RunFolder.create(tmp_path_factory.mktemp("two"), TWO)
    go_on(folder, TWO)
    return folder


def test_sub_populations_have_a_champion_and_a_hall_each(two):
    assert two.sub_populations == 2
    first, second = (two.champions(i).weights for i in range(2))
    assert first.shape == second.shape == (5, 825)
    assert not np.array_equal(first, second)
    for i, weights in enumerate((first, second)):
        champion = agents.load_player(two.path / f"champion-{i + 1}.npz")
        assert champion.weights.tobytes() == weights[-1].tobytes()
        assert two.champion(i).weights.tobytes() == weights[-1].tobytes()
        assert champion.origin["sub_population"] == i + 1
    halls = read_arrays(two.path / "hall_of_fame.npz")
    assert halls["1_weights"].shape == halls["2_weights"].shape == (4, 825)
    with pytest.raises(ValueError, match=r"sub_population must be in 0\.\.1; got 2"):
        two.champions(2)


def test_the_overall_champion_is_the_better_one(two):
    line = read_lines(two.metrics_file)[-1]
    parts = line["sub_populations"]
    best = int(np.argmin([part["best_place"] for part in parts]))
    assert line["best_place"] == parts[best]["best_place"]
    assert two.champion().origin["mean_place"] == line["best_place"]
    assert two.champion().weights.tobytes() == two.champions(best).weights[-1].tobytes()


def test_metrics_cover_the_total_and_each_sub_population(two):
    lines = read_lines(two.metrics_file)
    assert [line["players"] for line in lines] == [16, 20, 24, 24, 24]
    assert [line["hall_size"] for line in lines] == [0, 4, 8, 8, 8]
    for line in lines:
        parts = line["sub_populations"]
        assert np.mean([part["mean_place"] for part in parts]) == pytest.approx(line["mean_place"])
        assert sum(part["hall_size"] for part in parts) == line["hall_size"]
        all_players = 8 * sum(part["mean_place"] for part in parts)
        all_players += sum((part["hall_mean_place"] or 0) * part["hall_size"] for part in parts)
        n = line["players"]
        assert all_players == pytest.approx(n * (n + 1) / 2)
        assert 0 <= line["elite_overlap"] <= 1


def test_sub_populations_breed_apart(workers):
    """Without mutation the weights of a child lie between those of its own elites."""
    config = TWO.with_values(mutation_rate=0.0, hall_of_fame=0)
    state, _ = one_generation(State.initial_state(config), config)
    asked, _ = play_generation(state, config, workers=workers)
    for sub, rows in zip(state.optimizer.sub_populations, state.optimizer.groups, strict=True):
        population = asked[rows]
        elites = sub.genomes.weights[:2]
        assert population.weights[:2].tobytes() == elites.tobytes()
        assert (population.weights >= elites.min(axis=0) - 1e-6).all()
        assert (population.weights <= elites.max(axis=0) + 1e-6).all()


def test_ranks_are_within_the_sub_population():
    """The elites of both are elites, however the other one does."""
    state, metrics = one_generation(State.initial_state(TWO), TWO)
    assert [len(hall) for hall in state.opponents.halls()] == [2, 2]
    best = [part["best_place"] for part in metrics["sub_populations"]]
    assert min(best) == metrics["best_place"]
    assert best[0] != best[1]


def test_the_champion_may_be_the_player_with_most_hands_won():
    picked = {}
    for pick in ("fitness", "hands"):
        config = CONFIG.with_values(champion_criterion=pick, tournaments=8)
        state, _ = one_generation(State.initial_state(config), config)
        sub = state.optimizer.sub_populations[0]
        ranked = [network.tobytes() for network in sub.genomes.weights]
        picked[pick] = ranked.index(sub.champion.weights[0].tobytes())
    assert picked["fitness"] == 0
    assert picked["hands"] > 0


def test_a_champion_moves_a_step_towards_its_challenger(workers):
    config = CONFIG.with_values(elites=1, champion_step=0.25, init="zeros", tournaments=6)
    state, _ = one_generation(State.initial_state(config), config)
    assert not state.optimizer.sub_populations[0].genomes.weights.any()
    moves = 0
    for _ in range(4):
        played, _ = play_generation(state, config, workers=workers)
        old = state.optimizer.sub_populations[0].genomes.weights[0]
        state, metrics = one_generation(state, config)
        new = state.optimizer.sub_populations[0].genomes.weights[0]
        if metrics["best_survived"]:
            np.testing.assert_array_equal(new, old)
            continue
        moves += 1
        challengers = old + (new - old) / 0.25
        distances = np.abs(played.weights - challengers).max(axis=1)
        assert distances.min() < 1e-5
        assert new.tobytes() == state.champions[0].weights[-1].tobytes()
    assert moves


def test_rollback_restores_the_best_elites_and_reports_it(monkeypatch):
    config = CONFIG.with_values(hall_of_fame=8, rollback=2)
    behind = iter([False, False, True, True, False])
    real = rollback.Rollback.after_generation

    def scripted(retreat, generation, **values):
        """The elites are ahead in generation 2 and behind in 3 and 4."""
        hall = values["elites"] + (-1.0 if next(behind) else 1.0)
        return real(retreat, generation, **{**values, "hall": hall})

    monkeypatch.setattr(rollback.Rollback, "after_generation", scripted)
    state, went = State.initial_state(config), []
    elites = []
    for _ in range(5):
        state, metrics = one_generation(state, config)
        went.append(metrics["rolled_back_to"])
        elites.append(state.optimizer.sub_populations[0].genomes.weights[:4].tobytes())
    assert went == [None, None, None, 1, None]
    assert elites[3] == elites[0] != elites[2]


def test_brood_selection_keeps_elites_and_changes_children():
    state, _ = one_generation(State.initial_state(CONFIG), CONFIG)
    populations = []
    for brood_size in (1, 4):
        config = CONFIG.with_values(brood_size=brood_size, brood_tournaments=3)
        same = State.from_arrays(state.to_arrays(), config)
        with thread_workers(2) as workers:
            population, _ = play_generation(same, config, workers=workers)
        assert len(population) == 16
        populations.append(population.weights)
    assert populations[0][:4].tobytes() == populations[1][:4].tobytes()
    assert populations[0][4:].tobytes() != populations[1][4:].tobytes()


# Parts put together otherwise.


def test_named_and_earlier_players_join_tournaments():
    config = CONFIG.with_values(
        opponents="pool", named=("caller", "folder"), pool_share=0.5, pool_every=1, generations=3
    )
    state, lines = State.initial_state(config), []
    for _ in range(3):
        state, metrics = one_generation(state, config)
        lines.append(metrics)
    # Champions of the first two generations entered the pool before the next; rivals take no seats.
    assert [line["players"] for line in lines] == [18, 19, 20]
    assert [line["pool"] for line in lines] == [0, 1, 2]
    pool = state.opponents.pool
    named = len(pool.genomes) + np.arange(2)
    rates = pool.win_rates[named]
    assert (pool.games[named] > 0).all()
    assert rates[0] > rates[1]  # a caller is out before a folder


def test_a_black_box_optimizer_may_use_a_hall_of_fame():
    config = CONFIG.with_values(
        optimizer={"kind": "openai-es", "population": 20}, hall_of_fame=4, init="zeros"
    )
    state = State.initial_state(config)
    players = []
    for _ in range(3):
        state, metrics = one_generation(state, config)
        players.append(metrics["players"])
    assert players == [20, 22, 24]
    assert set(state.opponents.members[0].entered.tolist()) <= {1, 2, 3}
    again = State.from_arrays(state.to_arrays(), config)
    assert again.champion.weights.tobytes() == state.champion.weights.tobytes()
    assert len(again.opponents.halls()[0]) == 4


def test_random_streams_of_purposes_differ():
    drawn = {
        seeds.stream_seed(1, purpose, *numbers)
        for purpose in (seeds.TOURNAMENTS, seeds.BROOD)
        for numbers in ((3,), (3, 0), (3, 1), (4,))
    }
    assert len(drawn) == 8
