"""Playing styles: what is counted, and the measures made of it."""

import math

import numpy as np
import pytest
from helpers import CALL, FOLD, deal, play_as
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from style_recount import check_counts, recount_episode

import agents
import nlhe_env
from agents import Blocks, Tournaments, play
from agents.match.style import (
    STYLE_STATS,
    Style,
    behaviour_descriptors,
    standard_errors,
    style_stats,
)
from agents.match.workers.base import thread_workers
from evolve.commands.main import main
from evolve.files.safe import read_json
from evolve.training.config import Config
from evolve.training.run import step_generation
from evolve.training.state import State
from nlhe_env import Game
from nlhe_env.game.style_counts import N_STYLE_COUNTS, POT_UNITS, STYLE_COUNTS


def counts(env: nlhe_env.raw_env, player: int) -> dict[str, float]:
    """The non-zero counts of a player; bets in pots."""
    found = dict(zip(STYLE_COUNTS, env.players["style_counts"][player].tolist(), strict=True))
    found["bet_over_pot"] /= POT_UNITS
    return {name: value for name, value in found.items() if value}


def counted(**values: float) -> np.ndarray:
    """The counts of one player, one row."""
    row = np.zeros((1, N_STYLE_COUNTS), np.int64)
    for name, value in values.items():
        row[0, STYLE_COUNTS.index(name)] = value * (POT_UNITS if name == "bet_over_pot" else 1)
    return row


# Hands counted by hand. Blinds 10 and 20; with the button at 0, seat 1 is the small blind.


def test_a_walk_does_not_count_as_a_preflop_hand():
    env = deal([1000] * 3)
    play_as(env, (0, FOLD), (1, FOLD))
    assert counts(env, 2) == {"hands": 1}
    assert counts(env, 0) == counts(env, 1) == {"hands": 1, "preflop_hands": 1}


def test_style_counts_of_a_limped_pot_checked_down():
    env = deal([1000] * 3)
    play_as(env, (0, CALL), (1, FOLD), (2, CALL))
    for _ in range(3):
        play_as(env, (2, CALL), (0, CALL))
    seen = {"hands": 1, "preflop_hands": 1, "flops": 1, "showdowns": 1}
    assert counts(env, 0) == seen | {"entered": 1}
    assert counts(env, 1) == {"hands": 1, "preflop_hands": 1}
    assert counts(env, 2) == seen  # a check in the big blind is nothing voluntary


def test_style_counts_of_raises_bets_calls_and_folds():
    env = deal([1000] * 3)
    # To 60: 40 beyond the call of 20, pot after calling 10 + 20 + 20 = 50.
    play_as(env, (0, 60), (1, FOLD), (2, CALL))
    # Pot 130. A bet of 65 is half of it; a raise to 200 is 135 on top of 130 + 65 + 65.
    play_as(env, (2, 65), (0, 200), (2, CALL))
    # Pot 530; the turn is checked, a bet of 530 ends the hand on the river.
    play_as(env, (2, CALL), (0, CALL), (2, 530), (0, FOLD))
    played = {"hands": 1, "preflop_hands": 1, "entered": 1, "flops": 1}
    assert counts(env, 0) == played | {
        "raised_preflop": 1,
        "bets": 1,
        "faced": 2,
        "folds_faced": 1,
        "sized": 2,
        "bet_over_pot": pytest.approx(40 / 50 + 135 / 260, abs=1e-5),
    }
    assert counts(env, 1) == {"hands": 1, "preflop_hands": 1, "faced": 1, "folds_faced": 1}
    assert counts(env, 2) == played | {
        "bets": 2,
        "calls": 1,
        "faced": 2,
        "sized": 2,
        "bet_over_pot": 1.5,
    }


def test_a_limp_followed_by_a_fold_counts_as_vpip():
    env = deal([1000] * 3)
    play_as(env, (0, CALL), (1, FOLD), (2, 80), (0, FOLD))
    assert counts(env, 0) == {
        "hands": 1,
        "preflop_hands": 1,
        "entered": 1,
        "faced": 1,
        "folds_faced": 1,
    }


def test_two_preflop_raises_count_as_one_hand():
    env = deal([1000] * 2)
    play_as(env, (0, 60), (1, 200), (0, 1000), (1, FOLD))
    found = counts(env, 0)
    assert (found["entered"], found["raised_preflop"], found["sized"]) == (1, 1, 2)
    assert "flops" not in found
    assert "bets" not in found


def test_a_preflop_all_in_player_sees_the_flop():
    env = deal([1000, 1000, 20])  # the big blind has nothing behind
    play_as(env, (0, 100), (1, CALL), (1, 50), (0, FOLD))
    assert counts(env, 2) == {"hands": 1, "flops": 1, "showdowns": 1}
    assert counts(env, 0)["flops"] == counts(env, 1)["showdowns"] == 1


def test_a_new_game_resets_the_counts():
    env = deal([1000] * 3)
    play_as(env, (0, 60), (1, FOLD))  # the big blind still has to answer
    env.reset(seed=2)
    assert not env.players["style_counts"].any()
    assert not env.players["hand_style"].any()


# Recounted from whole games.


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_tournament_counts_match_an_independent_recount(betting):
    names = ["random", "loose-aggressive", "tight-passive", "old-best", "call-or-raise", "random"]
    env = nlhe_env.raw_env(6, table_size=3, actions="chips", betting=betting)
    players = dict(zip(env.possible_agents, map(agents.make, names), strict=True))
    for seed in range(8):
        recount = recount_episode(env, players, seed)
        check_counts(env.players["style_counts"], recount)
    assert (recount.array()[:, 0] > 0).all()


def test_counts_with_equal_blinds_and_antes_match_a_recount():
    # Equal blinds let the small blind check, and another player raise afterwards.
    env = nlhe_env.raw_env(4, blinds=(20, 20, 5), mode="cash", num_hands=60, actions="chips")
    players = {agent: agents.make("random") for agent in env.possible_agents}
    recount = recount_episode(env, players, 3)
    check_counts(env.players["style_counts"], recount)
    assert (recount.array()[:, 0] == 60).all()


# Compiled games.


def batch(*names: str) -> agents.PlayerBatch:
    return agents.pack_players([agents.make(name) for name in names])


def test_static_players_have_their_known_styles():
    played = play(batch("folder", "caller", "raiser"), Blocks(20), Game.cash(), seed=1)
    folder, caller, raiser = map(Style.of, played.style_counts)
    assert folder.voluntarily_in_pot == folder.preflop_raise == 0.0
    assert folder.fold_to_raise == 1.0
    assert math.isnan(folder.aggression)
    assert caller.preflop_raise == caller.aggression == caller.fold_to_raise == 0.0
    assert caller.voluntarily_in_pot == 1.0  # there is always a raise to call
    assert math.isnan(caller.bet_over_pot)
    assert raiser.voluntarily_in_pot == 1.0
    assert raiser.preflop_raise == raiser.aggression == 1.0
    assert math.isnan(raiser.fold_to_raise)  # no other player raises
    assert (played.style_counts[:, 0] == played.hands).all()


def test_a_called_raise_is_not_faced_by_its_player():
    game = Game.cash(betting="fixed-limit", two_calls=True)
    played = play(batch("call-or-raise", "caller"), Blocks(5), game, seed=1)
    assert math.isnan(Style.of(played.style_counts[0]).fold_to_raise)  # a caller never bets


def test_callers_enter_every_hand_except_in_the_big_blind():
    played = play(batch(*["caller"] * 4), Blocks(5), Game.cash(), seed=1)
    found = style_stats(played.style_counts)
    np.testing.assert_array_equal(found[:, 0], 0.75)
    np.testing.assert_array_equal(found[:, 4], 1.0)
    assert np.isnan(found[:, [3, 5]]).all()


def test_a_style_is_measured_against_opponents():
    opponents = [agents.make("random")] * 2
    style = agents.measure_style(agents.make("raiser"), opponents, count=5)
    assert style == agents.measure_style(agents.make("raiser"), opponents, count=5)
    assert style != agents.measure_style(agents.make("raiser"), opponents, count=5, seed=2)
    assert style.preflop_raise > 0.9
    many = agents.measure_style(agents.make("raiser"), opponents * 6, count=2)  # two tables
    assert many.fold_to_raise == 0.0
    with pytest.raises(ValueError, match="at least one opponent"):
        agents.measure_style(agents.make("raiser"), [])


# Measures.


def test_style_stats_are_shares_of_opportunities():
    row = counted(
        hands=50,
        preflop_hands=40,
        entered=20,
        raised_preflop=10,
        bets=6,
        calls=2,
        faced=16,
        folds_faced=4,
        flops=10,
        showdowns=3,
        sized=8,
        bet_over_pot=6,
    )
    assert style_stats(row)[0].tolist() == [0.5, 0.25, 0.75, 0.25, 0.3, 0.75]
    assert behaviour_descriptors(row)[0].tolist() == [
        0.5,
        0.25,
        0.75,
        0.25,
        0.3,
        pytest.approx(3 / 7),
    ]
    errors = standard_errors(row)[0]
    assert errors[0] == pytest.approx(math.sqrt(0.25 / 40))
    assert errors[2] == pytest.approx(math.sqrt(0.75 * 0.25 / 8))
    assert math.isnan(errors[5])
    style = Style.of(np.concatenate([row, row]))
    assert style == Style.of(row[0])
    assert list(style.as_dict()) == list(STYLE_STATS)


def test_missing_opportunities_are_nan_in_stats_and_neutral_in_descriptors():
    row = counted(hands=1)
    assert np.isnan(style_stats(row)).all()
    assert (behaviour_descriptors(row, neutral=0.25) == 0.25).all()
    assert set(Style.of(row).as_dict().values()) == {None}


def test_counts_with_a_wrong_shape_are_refused():
    with pytest.raises(ValueError, match=r"shape \(any, 12\); got shape \(12,\)"):
        style_stats(np.zeros(N_STYLE_COUNTS, np.int64))


@given(arrays.arrays(np.int64, (3, N_STYLE_COUNTS), elements=st.integers(0, 10**6)))
def test_descriptors_of_any_counts_are_finite(row):
    assert np.isfinite(behaviour_descriptors(row)).all()


def test_descriptors_of_random_players_lie_in_the_unit_cube():
    seats = batch(*agents.names(compiled=True))
    found = behaviour_descriptors(
        play(seats, Tournaments(5), Game.tournament(), seed=2).style_counts
    )
    assert ((found >= 0.0) & (found <= 1.0)).all()


# Reported by the trainer.


def test_metrics_include_champion_and_population_styles():
    config = Config().with_values(population=12, elites=3, tournaments=4, table_size=4)
    played = []

    def play_and_keep(*arguments, **options) -> agents.Tally:
        played.append(agents.play(*arguments, **options))
        return played[-1]

    with thread_workers(1) as workers:
        state = State.initial_state(config)
        _, metrics = step_generation(state, config, workers=workers, backend=play_and_keep)
    tally = sum(played[1:], played[0])
    champion = int(tally.scores.argmin())
    assert metrics["best_style"] == Style.of(tally.style_counts[champion]).as_dict()
    assert metrics["mean_style"] == Style.of(tally.style_counts.sum(axis=0)).as_dict()
    assert metrics["mean_style"]["voluntarily_in_pot"] > 0.0


def test_evaluations_include_styles(tmp_path, capsys):
    arguments = ["evaluate", "raiser", "--players", "folder", "caller", "--blocks", "5"]
    assert main([*arguments, "--styles", "--out", str(tmp_path)]) == 0
    assert "fold to raise" in capsys.readouterr().out
    rows = {row["player"]: row for row in read_json(tmp_path / "evaluation.json")["players"]}
    assert rows["raiser"]["preflop_raise"] > 0.9
    assert rows["folder"]["aggression"] is None
    assert rows["caller"]["fold_to_raise"] == 0.0
