"""Meta-games: equilibria, alpha-rank, cycles, the matches and the command."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from helpers import genome
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
from agents.match.workers.base import thread_workers
from agents.measure.leagues.league_matches import LeagueSettings
from agents.players.networks import pack_networks
from evolve import seeds
from evolve.commands.main import main
from evolve.evaluation.metagame import (
    MetaGame,
    alpha_rank,
    draw_meta_games,
    measure_heads_up,
    nash_weights,
)
from evolve.evaluation.progress import play_tournaments
from nlhe_env import Game

GAME = Game.tournament()

ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
# Omidshafiei et al. 2019, biased rock-paper-scissors.
BIASED = np.array([[0.0, -0.5, 1.0], [0.5, 0.0, -0.1], [-1.0, 0.1, 0.0]])
DOMINATED = np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]])


def field_of(players, *, tournaments, workers) -> MetaGame:
    played = play_tournaments(
        players, GAME, seed=1, tournaments=tournaments, workers=workers, sub_population=0
    )
    return MetaGame.of_tournaments(*played)


def random_game(seed: int, n: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(n, n))
    return drawn - drawn.T


@st.composite
def games(draw) -> np.ndarray:
    """Small antisymmetric games of whole payoffs: many of them have many equilibria."""
    n = draw(st.integers(1, 7))
    values = draw(st.lists(st.integers(-2, 2), min_size=n * n, max_size=n * n))
    upper = np.triu(np.array(values, np.float64).reshape(n, n), 1)
    return upper - upper.T


# ----------------------------------------------------------------------------- Nash


@pytest.mark.parametrize(
    ("payoffs", "weights"),
    [
        (ROCK_PAPER_SCISSORS, [1 / 3, 1 / 3, 1 / 3]),
        # Proportional to what the two others win from each other.
        (BIASED, [0.1 / 1.6, 1 / 1.6, 0.5 / 1.6]),
        (DOMINATED, [1, 0, 0]),
        (np.zeros((4, 4)), [1 / 4] * 4),
        (np.zeros((1, 1)), [1]),
        # A copy shares the weight of its original (Balduzzi et al. 2018, section 4).
        (ROCK_PAPER_SCISSORS[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])], [1 / 3, 1 / 3, 1 / 6, 1 / 6]),
        # Two equals above a loser.
        (np.array([[0.0, 0.0, 5.0], [0.0, 0.0, 1.0], [-5.0, -1.0, 0.0]]), [1 / 2, 1 / 2, 0]),
        # The unit of the payoffs does not matter.
        (1e6 * BIASED, [0.1 / 1.6, 1 / 1.6, 0.5 / 1.6]),
        (1e-6 * BIASED, [0.1 / 1.6, 1 / 1.6, 0.5 / 1.6]),
    ],
)
def test_nash_weights_match_known_games(payoffs, weights):
    np.testing.assert_allclose(nash_weights(payoffs), weights, atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(payoffs=games(), data=st.data())
def test_nash_weights_are_a_permutation_equivariant_equilibrium(payoffs, data):
    weights = nash_weights(payoffs)
    assert weights.sum() == pytest.approx(1.0)
    assert weights.min() >= 0.0
    assert weights @ payoffs @ weights == pytest.approx(0.0, abs=1e-9)
    assert (payoffs @ weights).max() < 1e-5
    order = np.array(data.draw(st.permutations(range(len(payoffs)))))
    again = nash_weights(payoffs[np.ix_(order, order)])
    np.testing.assert_allclose(again, weights[order], atol=1e-4)


def test_no_equilibrium_on_a_grid_has_larger_entropy():
    # 0 and 1 are equal, 2 loses to 0 but beats 1: all weights (x, 1 - x, 0) with x >= 1/3 are one.
    payoffs = np.array([[0.0, 0.0, 2.0], [0.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    found = nash_weights(payoffs)
    np.testing.assert_allclose(found, [0.5, 0.5, 0.0], atol=1e-6)
    # And where the bound is above one half, the entropy is largest at the bound.
    payoffs = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -3.0], [-1.0, 3.0, 0.0]])
    np.testing.assert_allclose(nash_weights(payoffs), [0.75, 0.25, 0.0], atol=1e-5)


def test_best_response_to_too_much_paper():
    """Billings 2006, 5.4.1.3: always scissors win a tenth of 30% rock, 40% paper, 30% scissors."""
    np.testing.assert_allclose(ROCK_PAPER_SCISSORS @ (0.3, 0.4, 0.3), (-0.1, 0, 0.1), atol=1e-12)
    assert max(ROCK_PAPER_SCISSORS @ nash_weights(ROCK_PAPER_SCISSORS)) == pytest.approx(0)


def test_invalid_payoffs_are_refused():
    with pytest.raises(ValueError, match="antisymmetric"):
        nash_weights(np.array([[0.0, 1.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match="square"):
        nash_weights(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="finite"):
        alpha_rank(np.array([[0.0, np.inf], [-np.inf, 0.0]]))


# ----------------------------------------------------------------------------- alpha-rank


@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0, 1000.0, math.inf])
def test_alpha_rank_matches_known_games(alpha):
    np.testing.assert_allclose(alpha_rank(ROCK_PAPER_SCISSORS, alpha=alpha), [1 / 3] * 3)
    np.testing.assert_allclose(alpha_rank(DOMINATED, alpha=max(alpha, 1.0)), [1, 0, 0], atol=1e-12)
    # With strong selection only the cycle counts, not how much is won in it: as published.
    if alpha >= 1000:
        np.testing.assert_allclose(alpha_rank(BIASED, alpha=alpha), [1 / 3] * 3, atol=1e-9)


def test_alpha_rank_agrees_with_another_implementation():
    # Measured with OpenSpiel 2.0.2, alpharank.compute([payoffs], m=50, alpha=...).
    payoffs = np.zeros((5, 5))
    payoffs[np.triu_indices(5, 1)] = [
        -0.494, 1.264, 0.837, -0.407, 0.906, -0.159, -2.632, 0.098, -0.581, 0.691
    ]  # fmt: skip
    payoffs -= payoffs.T
    found = [alpha_rank(payoffs, alpha=alpha) for alpha in (0.01, 0.1, 1.0)]
    expected = [
        [0.23628312, 0.13833677, 0.11688597, 0.20186189, 0.30663225],
        [0.26372081, 0.06674184, 0.01669745, 0.27002367, 0.38281623],
        [0.21821448, 0.12221839, 0.02140522, 0.29390557, 0.34425635],
    ]
    np.testing.assert_allclose(found, expected, atol=1e-8)
    biased = [alpha_rank(BIASED, alpha=alpha) for alpha in (0.1, 1.0, 10.0)]
    expected = [
        [0.21295553, 0.67714717, 0.1098973],
        [0.19163945, 0.66826088, 0.14009967],
        [0.31681465, 0.36638509, 0.31680026],
    ]
    np.testing.assert_allclose(biased, expected, atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_rank_is_the_stationary_distribution_of_the_paper(seed):
    n, alpha, m = 6, 0.3, 7
    payoffs = np.random.default_rng(seed).normal(size=(n, n))  # need not be antisymmetric
    chain = np.zeros((n, n))
    for s in range(n):
        for r in range(n):
            if r != s:
                u = alpha * (payoffs[r, s] - payoffs[s, r])
                chain[s, r] = (1 - math.exp(-u)) / (1 - math.exp(-m * u)) / (n - 1)
        chain[s, s] = 1 - chain[s].sum()
    values, vectors = np.linalg.eig(chain.T)
    stationary = np.real(vectors[:, np.argmax(np.real(values))])
    found = alpha_rank(payoffs, alpha=alpha, population=m)
    np.testing.assert_allclose(found, stationary / stationary.sum(), atol=1e-12)


def test_large_alpha_reaches_the_limit():
    payoffs = random_game(3, 8)
    limit = alpha_rank(payoffs)
    np.testing.assert_allclose(alpha_rank(payoffs, alpha=1e6), limit, atol=1e-9)
    assert np.isfinite(limit).all()


@settings(deadline=None, max_examples=60)
@given(payoffs=games(), alpha=st.sampled_from([0.01, 1.0, 50.0, math.inf]), data=st.data())
def test_alpha_rank_sums_to_one_and_is_permutation_equivariant(payoffs, alpha, data):
    shares = alpha_rank(payoffs, alpha=alpha)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.min() >= 0.0
    order = np.array(data.draw(st.permutations(range(len(payoffs)))))
    again = alpha_rank(payoffs[np.ix_(order, order)], alpha=alpha)
    np.testing.assert_allclose(again, shares[order], atol=1e-9)


def test_equal_players_share_alpha_rank_and_bad_arguments_are_refused():
    np.testing.assert_allclose(alpha_rank(np.zeros((4, 4))), [0.25] * 4)
    with pytest.raises(ValueError, match="alpha"):
        alpha_rank(BIASED, alpha=0.0)
    with pytest.raises(ValueError, match="population"):
        alpha_rank(BIASED, population=1)


# ----------------------------------------------------------------------------- the meta-game


def meta_game(payoffs, error: float = 0.01) -> MetaGame:
    payoffs = np.asarray(payoffs, np.float64)
    errors = np.full(payoffs.shape, error)
    np.fill_diagonal(errors, 0.0)
    return MetaGame(tuple(str(i + 1) for i in range(len(payoffs))), payoffs, errors, 1000)


def test_a_cycle_below_a_winner_is_found():
    payoffs = np.zeros((5, 5))
    payoffs[:3, :3] = ROCK_PAPER_SCISSORS
    payoffs[4, :4], payoffs[:4, 4] = 1.0, -1.0  # the last beats all
    payoffs[:3, 3], payoffs[3, :3] = 1.0, -1.0  # the fourth loses to all
    game = meta_game(payoffs)
    (cycle,) = game.cycles
    assert cycle.members == (0, 1, 2)
    around = (*cycle.shortest, cycle.shortest[0])
    assert len(cycle.shortest) == 3
    assert all(game.beats[a, b] for a, b in pairwise(around))
    np.testing.assert_allclose(game.nash, [0, 0, 0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(game.alpha_rank, [0, 0, 0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(game.against_nash, [-1, -1, -1, -1, 0], atol=1e-9)
    # 2 beats 1, 3 beats 2 and 5 beats all four; 1 beats 3, and the first three beat 4.
    assert game.later_beat_earlier == (6, 4, 0)


def test_the_shortest_of_several_cycles_is_shown():
    payoffs = np.zeros((5, 5))
    for winner, loser in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (3, 1)]:
        payoffs[winner, loser], payoffs[loser, winner] = 1.0, -1.0
    (cycle,) = meta_game(payoffs).cycles
    assert cycle.members == (0, 1, 2, 3, 4)
    assert sorted(cycle.shortest) == [1, 2, 3]


def test_unproven_differences_make_no_cycle_and_count_as_equal():
    game = meta_game(0.01 * ROCK_PAPER_SCISSORS)
    assert not game.beats.any()
    assert game.cycles == []
    np.testing.assert_allclose(game.alpha_rank, [1 / 3] * 3)
    assert game.later_beat_earlier == (0, 0, 3)
    # One error: a difference of 3 errors is shown alone, but not among many pairs.
    assert meta_game([[0, 3], [-3, 0]], error=1.0).beats.sum() == 1
    order = np.triu(np.full((9, 9), 3.0), 1)
    assert meta_game(order - order.T, error=1.0).beats.sum() == 0


def test_transitive_share():
    strength = np.array([3.0, 1.0, 0.0, -2.0])
    transitive = strength[:, None] - strength
    assert meta_game(transitive).transitive_share == pytest.approx(1.0)
    assert meta_game(ROCK_PAPER_SCISSORS).transitive_share == pytest.approx(0.0)
    assert meta_game(np.zeros((3, 3))).transitive_share == 1.0
    mixed = ROCK_PAPER_SCISSORS + np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0.0]])
    assert meta_game(mixed).transitive_share == pytest.approx(12 / 18)


def test_a_report_is_plain_text_and_json():
    game = meta_game(BIASED)
    lines = game.describe("chips")
    assert "3 players, 1,000 rounds" in lines[0]
    assert any("cycle of 3 players: 1, 2, 3" in line for line in lines)
    values = json.loads(json.dumps(game.as_dict()))
    assert values["cycles"][0]["players"] == ["1", "2", "3"]
    assert np.array(values["payoffs"]).shape == (3, 3)
    assert "no cycle shown" in meta_game(DOMINATED).describe("chips")


def test_a_meta_game_needs_a_game():
    with pytest.raises(ValueError, match="at least 2"):
        meta_game(np.zeros((1, 1)))
    with pytest.raises(ValueError, match="antisymmetric"):
        meta_game(np.ones((2, 2)))


# ----------------------------------------------------------------------------- the matches


def constant(*biases: tuple[float, ...]) -> agents.PlayerBatch:
    """Networks that always prefer the same actions: fold, call, small, medium, large raise."""
    weights = np.zeros((len(biases), 825), np.float32)
    weights[:, -5:] = biases
    return pack_networks(weights)


FOLDER = (80.0, -23.0, -80.0, -80.0, -80.0)
RAISER = (-80.0, -40.0, -80.0, -80.0, 80.0)


def test_payoffs_of_players_with_a_known_result():
    with thread_workers(2) as workers:
        players = constant(RAISER, FOLDER)
        cash = measure_heads_up(
            players, LeagueSettings.of(mode="cash", format="heads-up"), rounds=10, workers=workers
        )
        # The folder gives up its small and its big blind in turn.
        np.testing.assert_array_equal(cash.payoffs, [[0, 75], [-75, 0]])
        assert cash.errors.max() == 0.0
        assert cash.beats.tolist() == [[False, True], [False, False]]
        heads_up = LeagueSettings.of(mode="tournament", format="heads-up")
        won = measure_heads_up(players, heads_up, rounds=3, workers=workers)
        np.testing.assert_array_equal(won.payoffs, [[0, 1], [-1, 0]])
        field = field_of(players, tournaments=4, workers=workers)
        np.testing.assert_array_equal(field.payoffs, [[0, 1], [-1, 0]])
        assert field.observations == 4


@pytest.fixture(scope="module")
def champions():
    weights = np.stack([genome(i) for i in range(7)])
    return pack_networks(weights)


HEADS_UP = LeagueSettings.of(mode="cash", format="heads-up", seed=5)


def test_results_depend_on_the_pair_alone(champions):
    with thread_workers(1) as one, thread_workers(2) as two:
        first = measure_heads_up(champions, HEADS_UP, rounds=5, workers=one)
        again = measure_heads_up(champions, HEADS_UP, rounds=5, workers=two)
        some = measure_heads_up(champions, HEADS_UP, rounds=5, workers=two, most=3)
        field = [field_of(champions, tournaments=6, workers=workers) for workers in (one, two)]
    np.testing.assert_array_equal(first.payoffs, again.payoffs)
    np.testing.assert_array_equal(first.errors, again.errors)
    assert some.names == ("1", "4", "7")
    chosen = np.ix_([0, 3, 6], [0, 3, 6])
    np.testing.assert_array_equal(some.payoffs, first.payoffs[chosen])
    np.testing.assert_array_equal(some.errors, first.errors[chosen])
    np.testing.assert_array_equal(field[0].payoffs, field[1].payoffs)
    assert np.abs(first.payoffs).max() > 0.0


def test_field_payoffs_match_the_places(champions):
    with thread_workers(1) as workers:
        game = field_of(champions, tournaments=20, workers=workers)
    seed = seeds.stream_seed(1, seeds.PROGRESS, 1)
    places = agents.play(champions, agents.Tournaments(20), GAME, seed=seed, rows=True).row_scores
    lead = np.sign(places[:, 4] - places[:, 1])
    assert game.payoffs[1, 4] == lead.mean()
    assert game.errors[1, 4] == pytest.approx(lead.std(ddof=1) / math.sqrt(20))


def test_invalid_meta_games_are_refused(champions):
    with thread_workers(1) as workers:
        with pytest.raises(ValueError, match="2 generations"):
            measure_heads_up(champions.take([0]), HEADS_UP, rounds=5, workers=workers)
        with pytest.raises(ValueError, match="rounds"):
            measure_heads_up(champions, HEADS_UP, rounds=1, workers=workers)
        table = LeagueSettings.of(mode="tournament", format="table")
        with pytest.raises(ValueError, match="heads-up"):
            measure_heads_up(champions, table, rounds=5, workers=workers)


# ----------------------------------------------------------------------------- the command


def test_the_picture_marks_cycles(tmp_path):
    pytest.importorskip("matplotlib")
    payoffs = np.zeros((6, 6))
    payoffs[:3, :3] = payoffs[3:, 3:] = ROCK_PAPER_SCISSORS
    file = draw_meta_games(
        [meta_game(payoffs), meta_game(DOMINATED)], tmp_path / "two.png", unit="chips", title="two"
    )
    assert file.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["two.png"]


@pytest.mark.slow
def test_the_command_on_a_tiny_run(tmp_path, capsys):
    train = ["--generations", "4", "--population", "8", "--elites", "2", "--tournaments", "2"]
    assert main(["train", *train, "--sub-populations", "2", "--runs", str(tmp_path)]) == 0
    (run,) = tmp_path.iterdir()
    for game in ("tournament", "cash", "field"):
        capsys.readouterr()
        arguments = ["--game", game, "--rounds", "4", "--champions", "3", "--workers", "1"]
        assert main(["evaluate", "metagame", str(run), *arguments]) == 0
        said = capsys.readouterr().out
        assert "sub-population 2:" in said
        assert "3 players, 4 rounds" in said
        values = json.loads((run / "metagame.json").read_text())
        assert values["played"]["mode"] == game
        assert [part["players"] for part in values["sub_populations"]] == [["1", "2", "4"]] * 2
        payoffs = np.array(values["sub_populations"][1]["payoffs"])
        np.testing.assert_array_equal(payoffs, -payoffs.T)
    pytest.importorskip("matplotlib")
    assert (run / "metagame.png").exists()
    assert main(["evaluate", "metagame", str(run), "--rounds", "1"]) == 2
    assert main(["evaluate", "metagame", str(run), "--champions", "1"]) == 2
    assert main(["evaluate", "metagame", str(tmp_path)]) == 2
