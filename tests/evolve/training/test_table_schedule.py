"""Tables of candidates: seating, scores, and refused values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agents
from evolve import seeds
from evolve.training.config import Config
from evolve.training.run import play_generation, step_generation
from evolve.training.state import State
from evolve.training.table_schedule import means_of_rounds, seat_everybody

TABLES = Config().with_values(
    optimizer="openai-es",
    schedule="tables",
    opponents="pool",
    inputs="features_scaled",
    hidden=(4,),
    population=6,
    rounds=3,
    table_size=4,
    starting_stack=300,
    named=(),
    named_share=0.0,
    pool_share=1.0,
    pool_every=1,
    generations=3,
)


@given(n=st.integers(2, 40), seats=st.integers(2, 10), seed=st.integers(0, 99))
def test_every_player_sits_once_except_fillers_of_the_last_table(n, seats, seed):
    if n < seats:
        return
    tables = seat_everybody(n, seats, np.random.default_rng(seed))
    assert all(len(set(table)) == seats for table in tables.tolist())
    counts = np.bincount(tables.ravel(), minlength=n)
    assert counts.min() == 1
    assert counts.max() <= 2
    assert counts.sum() - n == -n % seats


def test_means_and_errors_exclude_round_effects():
    lineups = np.array([[0, 1], [2, 0], [1, 2], [0, 1]])
    scores = np.array([[1.0, 2.0], [5.0, 3.0], [4.0, 9.0], [8.0, 6.0]])
    rounds = np.array([0, 0, 1, 1])
    means, errors = means_of_rounds(lineups, scores, rounds, 3)
    assert means.tolist() == [(1 + 3 + 8) / 3, (2 + 4 + 6) / 3, (5 + 9) / 2]
    # Round 0 has the mean 2.75, round 1 6.75.
    rest = [[1 - 2.75, 3 - 2.75, 8 - 6.75], [2 - 2.75, 4 - 6.75, 6 - 6.75], [5 - 2.75, 9 - 6.75]]
    expected = [np.std(each, ddof=1) / np.sqrt(len(each)) for each in rest]
    np.testing.assert_allclose(errors, expected)


@pytest.mark.parametrize(("opponents", "alone"), [(0, 0), (1, 0), (1, 2)])
def test_fitness_is_the_mean_place_at_reproducible_tables(opponents, alone, workers):
    config = TABLES.with_values(seats_for_opponents=opponents, rounds_alone=alone, seed=5)
    state = State.initial_state(config)
    state, _ = step_generation(state, config, workers=workers)
    candidates, evaluation = play_generation(state, config, workers=workers)
    met = state.opponents.select(candidates, state.optimizer, 2)
    rng = seeds.generator(5, seeds.SEARCH_OPPONENTS, 2)
    batch = agents.concat(candidates.pack(), met.batch)
    seed = seeds.stream_seed(5, seeds.SEARCH_GAMES, 2)
    places = np.zeros((6, 2))
    met_seats = 0
    for round_ in range(3):
        guests = opponents if round_ >= alone else 0
        lineups = seat_everybody(6, 4 - guests, rng)
        if guests:
            lineups = np.column_stack([lineups, 6 + met.lineups(len(lineups), guests, rng)])
        met_seats += guests * len(lineups)
        for lineup in lineups:
            one = agents.Blocks(1, first=round_)
            tally = agents.play(batch.take(lineup), one, config.make_game(), seed=seed)
            for who, place in zip(lineup[: 4 - guests], tally.scores, strict=False):
                places[who] += place, 1
    np.testing.assert_allclose(evaluation.candidate_scores.fitness, -places[:, 0] / places[:, 1])
    assert evaluation.games.sum() == met_seats


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seats_for_opponents": 3}, "seats_for_opponents must leave two of 4 seats"),
        ({"population": 2}, "population must have a candidate for each of 4 seats"),
        ({"rounds": 1}, "rounds must be at least 2"),
        ({"rounds_alone": 4}, "rounds_alone must be"),
        ({"fitness": "mean_money"}, 'schedule "tables" needs fitness'),
    ],
)
def test_invalid_tables_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        TABLES.with_values(**values)
