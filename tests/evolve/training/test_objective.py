"""The objective for other people's optimizers: the games of training, as a function."""

from types import SimpleNamespace

import numpy as np
import pytest

import agents
import evolve
import nlhe_env
from evolve.genomes import NetworkKind
from evolve.genomes.topographies import TopographyKind
from evolve.opponents.opponent_sampling import Opponents
from evolve.training import objective as objective_module
from evolve.training.block_schedule import BlockSchedule
from evolve.training.fitness import ScoreFitness
from evolve.training.schedules import Generation

CASH = nlhe_env.Game.cash(num_hands=4)
KIND = NetworkKind(hidden=(4,), inputs="features_scaled")


def candidates(objective, n=5):
    return np.random.default_rng(1).standard_normal((n, objective.n_parameters))


@pytest.mark.parametrize("game", [CASH, nlhe_env.Game.tournament(starting_stack=300)], ids=str)
def test_values_match_training(game):
    opponents = ["caller", "raiser"]
    with (
        evolve.Objective(
            game, opponents, seats=3, genomes=KIND, sense="maximize", blocks=6, seed=4
        ) as objective,
        evolve.thread_workers(1) as workers,
    ):
        rows = candidates(objective)
        measured = objective.at(7).measure(rows)
        training = BlockSchedule(blocks=6).evaluate(
            Generation(
                number=7,
                seed=4,
                game=objective.game,
                candidates=KIND.of_numbers(rows.astype(np.float32)),
                optimizer=SimpleNamespace(groups=[slice(0, 5)], groups_are="sub_populations"),
                opponents=Opponents.all_players(
                    agents.pack_players([agents.make(o) for o in opponents])
                ),
                halls=(),
                counts_wins=False,
                fitness=ScoreFitness(),
                workers=workers,
                backend=agents.play,
            )
        )
    assert (
        np.argsort(measured.values).tolist()
        == np.argsort(training.candidate_scores.fitness).tolist()
    )
    best = measured.values.argmax()
    assert measured.scores[best] == pytest.approx(training.line["best_score"])
    of_five = np.sqrt(5 / 4)  # metrics ignore that the mean of all is also that of these five
    assert measured.errors[best] == pytest.approx(of_five * training.line["best_score_error"])
    assert measured.scores.mean() == pytest.approx(training.line["mean_score"])
    assert np.array_equal(measured.behaviour, training.candidate_scores.behaviour)
    assert measured.hands == training.hands


def test_the_direction_gives_the_sign():
    with evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=3) as costs:
        rows = candidates(costs)
        gains = evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=3, sense="maximize")
        assert costs.sense == "minimize"
        assert np.array_equal(costs(rows), -gains(rows))
        assert np.array_equal(costs.measure(rows).scores, gains(rows))  # big blinds won
        gains.close()


def test_scores_have_one_unit_whatever_the_game_counts():
    def measured(game):
        with evolve.Objective(game, ["caller"], genomes=KIND, blocks=20) as objective:
            return objective.unit, objective.measure(candidates(objective)).scores

    def tournament(score):
        return measured(nlhe_env.Game.tournament(score=score, blinds=(10, 20), num_hands=3))

    chips, big_blinds = (
        measured(nlhe_env.Game.cash(num_hands=4, score=score)) for score in ("chips", "big_blinds")
    )
    assert chips[0] == big_blinds[0] == "bb/100"
    np.testing.assert_allclose(chips[1], big_blinds[1])
    (name, won), (other, big) = tournament("chips"), tournament("big_blinds")
    assert (name, other, tournament("place")[0]) == ("chips", "big blinds", "place")
    np.testing.assert_allclose(won, 20 * big)
    assert 0 < np.abs(won).max() <= 1000  # the mean of a tournament, not the sum of a block


def test_cards_are_common_within_and_new_between_generations():
    with evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=3) as objective:
        rows = candidates(objective)
        assert np.array_equal(objective(rows), objective(rows))
        assert np.array_equal(objective(rows)[::-1], objective(rows[::-1]))
        assert objective(rows[2:3])[0] == pytest.approx(objective(rows)[2])
        assert np.array_equal(objective.at(0)(rows), objective(rows))
        assert not np.array_equal(objective.at(1)(rows), objective(rows))
        assert objective.generation == 0


def test_workers_change_nothing():
    with (
        evolve.thread_workers(3) as three,
        evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=5) as alone,
    ):
        shared = evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=5, workers=three)
        rows = candidates(alone)
        assert np.array_equal(shared(rows), alone(rows))
        shared.close()
        assert np.array_equal(shared(rows), alone(rows))  # the workers are not its own


def test_errors_match_the_scores():
    with evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=400, seed=2) as objective:
        row = candidates(objective, 1)
        first = objective.measure(row)
        others = np.array([objective.at(g)(row)[0] for g in range(1, 30)])
    assert others.std(ddof=1) == pytest.approx(first.errors[0], rel=0.5)


def test_errors_of_two_candidates_are_not_too_small(monkeypatch):
    rng = np.random.default_rng(3)
    noise = rng.normal(0.0, 100.0, 400) + rng.normal(0.0, 2.0, (2, 400))
    monkeypatch.setattr(objective_module, "block_scores", lambda *_: noise)
    with evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=2) as objective:
        errors = objective.measure(candidates(objective, 2)).errors
    # A block is two sessions of four hands, a big blind 100 chips.
    assert errors * 8 == pytest.approx(2.0 / 20.0, rel=0.1)


def test_a_candidate_becomes_the_player_that_was_measured():
    game = nlhe_env.Game.cash(num_hands=4)
    with evolve.Objective(game, ["caller"], genomes=KIND, blocks=4000, seed=2) as objective:
        row = candidates(objective, 1)
        measured = objective.measure(row)
        player = objective.player(row[0], name="mine")
        assert player.name == "mine"
    duel = [player, agents.make("caller")]
    tally = agents.play(duel, agents.Blocks(4000), game, seed=9)
    # A block is two sessions of four hands, a big blind 100 chips.
    per_100 = 100 / (100 * 2 * 4)
    difference = tally.scores[0] * per_100 - measured.scores[0]
    assert abs(difference) < 4 * np.hypot(tally.errors[0] * per_100, measured.errors[0])


def test_the_start_lies_within_the_bounds():
    objective = evolve.Objective(CASH, ["caller"], genomes=KIND, bound=2.0, seed=3)
    low, high = objective.bounds()
    assert objective.start.shape == low.shape == (objective.n_parameters,)
    assert np.array_equal(high - low, np.full(objective.n_parameters, 4.0))
    assert np.array_equal((high + low) / 2, objective.start)
    assert np.array_equal(objective.start, KIND.first_numbers(3))
    objective.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": []}, "opponents must be a list"),
        ({"opponents": "caller"}, "opponents must be a list"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"opponents": ["nlbot-1"]}, "compiled"),
        ({"sense": "best"}, "sense"),
        ({"blocks": 1}, "blocks"),
        ({"seats": 11}, "seats"),
        ({"seed": -1}, "seed"),
        ({"bound": 0.0}, "bound"),
        ({"genomes": TopographyKind()}, "optimizers that breed"),
    ],
)
def test_arguments_are_checked(arguments, message):
    opponents = arguments.pop("opponents", ["caller"])
    with pytest.raises(ValueError, match=message):
        evolve.Objective(CASH, opponents, **arguments)


def test_candidates_are_checked():
    with evolve.Objective(CASH, ["caller"], genomes=KIND, blocks=2) as objective:
        n = objective.n_parameters
        for wrong in (np.zeros(n), np.zeros((2, n + 1)), np.zeros((0, n))):
            with pytest.raises(ValueError, match="candidates must be"):
                objective(wrong)
        with pytest.raises(ValueError, match="finite"):
            objective(np.full((1, n), np.nan))
        with pytest.raises(ValueError, match="generation"):
            objective.at(-1)
