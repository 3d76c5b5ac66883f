"""Symbiotic evolution in the training loop: every model, layers, children, the hall of fame."""

from collections import Counter

import numpy as np
import pytest
from training_runs import evolve

from agents.match.workers.base import thread_workers
from agents.theses.bonson.dealt import SMALLEST_CATEGORY, make_matches
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer
from evolve.theses.bonson.match_schedule import Points, PointSettings, most_points
from evolve.theses.bonson.symbiosis.optimizer import SymbiosisSettings
from evolve.theses.bonson.symbiosis.selection import MODELS
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import step_generation, train
from evolve.training.state import State


def smoke(**values):
    return load_preset("sbb-smoke").with_values(**values)


class CountedMatches:
    """Stands for a library of any size, and keeps the most matches drawn of a category at once."""

    most = 0

    def draw_of(self, category, n, rng):
        self.most = max(self.most, n)
        return rng.permutation(n)


def stepped(config, workers):
    """The state after every generation, and its line of metrics."""
    state = State.initial_state(config)
    while config.goes_on(state.generation, state.hands):
        yield step_generation(state, config, workers=workers)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_can_run(tmp_path, library, workers, model):
    config = smoke(model=model, archive_size=12)
    folder = RunFolder.create(tmp_path, config)
    state = train(folder, config, State.initial_state(config), workers=workers)
    lines = folder.metrics()
    measures = MODELS[model].measures
    if measures:
        expected = [measures[g % len(measures)] for g in range(5)]
        assert [line["measure"] for line in lines] == expected
    teams = state.optimizer.elites(0)
    assert len(teams) == 5
    for team in teams.teams:
        assert 2 <= len(team) <= 16
        assert len({program.action for program in team}) > 1
        assert all(5 <= len(program.instructions) <= 40 for program in team)
    assert isinstance(folder.champion(), LimitTeamPlayer)
    assert lines[-1]["champion_by_opponent"].keys() == {"LA", "LP", "TA", "TP"}


@pytest.mark.parametrize(
    "values",
    [
        {"model": "bid", "bayesian": 4},
        {"model": "nov"},
        {"model": "gen", "layer_after": 3, "layer_of": "all"},
        {"model": "gen", "layer_after": 3, "layer_of": "top"},
        {"model": "ham_gen", "layer_after": 3, "layer_of": "hall"},
    ],
)
def test_a_state_goes_on_from_its_arrays(library, workers, values):
    config = smoke(generations=6, validate_every=2, archive_size=12, hall_every=2, **values)
    lines = [line for _, line in stepped(config, workers)]
    state = State.initial_state(config)
    with thread_workers(2) as two:
        for line, others in zip(lines, (workers, two) * 3, strict=True):
            state = State.from_arrays(state.to_arrays(), config)
            _, found = step_generation(state, config, workers=others)
            assert found == line


@pytest.mark.parametrize(("layer_of", "lower"), [("all", 5), ("top", 3), ("hall", 3)])
def test_a_second_layer_chooses_among_teams_of_the_first(
    tmp_path, library, workers, monkeypatch, layer_of, lower
):
    monkeypatch.setattr(SymbiosisSettings, "layer_top", 3)
    values = {"generations": 6, "layer_after": 3, "layer_of": layer_of}
    config = smoke(model="bid", hall_every=2, **values)
    folder = RunFolder.create(tmp_path, config)
    state = train(folder, config, State.initial_state(config), workers=workers)
    teams = state.optimizer.elites(0)
    assert all(teams.layered)
    assert len(teams.lower) == lower
    for team in teams.teams:
        assert len({program.action for program in team}) > 1
        assert all(program.action < lower for program in team)
    champion = folder.champion()
    assert isinstance(champion, LayeredTeamPlayer)
    assert len(champion.teams) == lower
    assert folder.champions().layered == (False,) * 3 + (True,) * 3


def test_a_hall_of_one_team_leaves_the_second_layer_the_survivors(library, workers):
    config = smoke(model="gen", layer_after=2, layer_of="hall", hall_of_fame=2)
    states = stepped(config, workers)
    next(states)
    state, _ = next(states)
    (hall,) = state.opponents.halls()
    assert len(state.optimizer.ask(halls=[hall]).lower) == 2
    assert state.optimizer.ask(halls=[hall[:1]]).lower == state.optimizer.elites(0).teams
    next(states)  # and it goes on


def test_a_second_layer_does_not_change_the_first(library, workers):
    configs = smoke(model="gen", generations=3), smoke(model="gen", layer_after=3)
    lines = [[line for _, line in stepped(config, workers)] for config in configs]
    fitness = [[line["mean_fitness"] for line in each[:3]] for each in lines]
    assert fitness[0] == fitness[1]


def test_the_hall_of_fame_is_limited_and_plays(library, workers):
    config = smoke(generations=8, hall_every=2, hall_of_fame=3)
    hands = []
    for state, line in stepped(config, workers):
        hands.append(line["generation_hands"])
        (hall,) = state.opponents.halls()
        assert line["hall"] == len(hall) <= 3
        assert state.opponents.behaviours.distances.shape == (len(hall), len(hall))
        assert len(set(hall.teams)) == len(hall)
    assert hands == [360, 360, 450, 450, 540, 540, 540, 540]


def test_children_in_the_bid_model_behave_differently(library, workers):
    *_, (state, _) = stepped(smoke(model="bid", population=20, generations=1), workers)
    optimizer = state.optimizer
    teams = optimizer.ask()
    profiles = [optimizer.profile(teams, i) for i in range(20)]
    counts = Counter(profiles)
    assert len(optimizer.sample) > 20
    assert all(counts[child] == 1 for child in profiles[10:])


@pytest.mark.slow
def test_evolution_finds_better_teams(workers, monkeypatch):
    """Against rules that random teams lose to, on more matches than a small library has."""
    matches = make_matches(8000, seed=4)
    monkeypatch.setattr("evolve.theses.bonson.match_schedule.load_matches", lambda: matches)
    config = load_preset("sbb-small").with_values(
        generations=20, model="no_div", champion_points=360
    )
    lines = [line for _, line in stepped(config, workers)]
    assert lines[-1]["mean_fitness"] > lines[0]["mean_fitness"] + 0.015
    assert lines[-1]["validation_mean"] > lines[0]["mean_fitness"] + 0.01  # on other matches


def test_parts_that_need_each_other_are_not_separated():
    with pytest.raises(ValueError, match='schedule "matches" needs optimizer "symbiosis"; got'):
        smoke(optimizer="elitist")
    with pytest.raises(ValueError, match='schedule "matches" needs opponents "points"; got "pool"'):
        smoke(opponents="pool")
    with pytest.raises(ValueError, match='optimizer "symbiosis" needs genomes "limit-teams"; got'):
        smoke(genomes="teams")
    with pytest.raises(ValueError, match='schedule "matches" needs game "cash"'):
        smoke(blinds="50/100")
    with pytest.raises(ValueError, match="layer_after must leave some of"):
        smoke(layer_after=5)
    with pytest.raises(ValueError, match="validation_points must be"):
        smoke(bayesian=8, points=200)
    for values in ({"layer_after": 1}, {"layer_after": 2, "hall_of_fame": 1}):
        with pytest.raises(ValueError, match='layer_of "hall" needs layer_after and hall_of_fame'):
            smoke(layer_of="hall", **values)
    with pytest.raises(ValueError, match=r"archive_turnover must be in 1 \.\. 5; got 10"):
        smoke(archive_size=5)
    assert smoke(two_calls=False).game.make() != smoke().game.make()


@pytest.mark.parametrize("bayesian", [0, 4, 8])
def test_the_most_points_fit_the_smallest_category(bayesian):
    most = most_points(PointSettings(bayesian=bayesian).slots, PointSettings.replaced_points)
    values = {"bayesian": bayesian, "validation_points": 200, "champion_points": 200}
    config, library = smoke(**values, points=most), CountedMatches()
    rng = np.random.default_rng(1)
    points = Points.draw(library, config.opponents.points, config.opponents.slots, rng)
    points.refresh(library, PointSettings.replaced_points, rng)
    assert SMALLEST_CATEGORY - 1.2 * config.opponents.slots < library.most <= SMALLEST_CATEGORY
    with pytest.raises(ValueError, match=f"points must be in .* {most}; got {most + 1}"):
        smoke(**values, points=most + 1)
    for key in ("validation_points", "champion_points"):
        most = most_points(4 + bayesian)
        smoke(**{**values, "points": 200, key: most})
        with pytest.raises(ValueError, match=f"{key} must be in .* {most}; got {most + 1}"):
            smoke(**{**values, "points": 200, key: most + 1})


def test_a_run_of_teams_for_limit_is_trained_by_the_command(tmp_path, library, capsys):
    arguments = ["--preset", "sbb-smoke", "--model", "gen", "--workers", "1"]
    assert evolve("train", *arguments, "--runs", str(tmp_path), "--generations", "3") == 0
    said = capsys.readouterr().out
    assert "generation 3/3  best " in said
    assert "  champion " in said
    assert "evolve evaluate" not in said  # its champion plays no tournaments
    (path,) = tmp_path.iterdir()
    assert np.load(path / "teams.npz")["layered"].shape == (5,)
