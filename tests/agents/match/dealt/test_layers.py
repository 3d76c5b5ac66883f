"""Teams of teams: decisions as in plain Python, the team that is chosen, files, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import plain_program

import agents
import nlhe_env
from agents import LayeredTeamPlayer, LimitTeamPlayer, Program
from agents.match.dealt import (
    bid_profile,
    make_matches,
    play_matches,
    rule_player,
)
from agents.players.programs.instructions import random_instruction
from agents.players.programs.opponent_model import N_INPUTS


def programs(seed, actions):
    """Some for each action."""
    rng = np.random.default_rng(seed)
    return tuple(
        Program(action, tuple(random_instruction(N_INPUTS, rng) for _ in range(12)))
        for action in (*actions, *actions)
    )


TEAMS = [programs(seed, (0, 1, 2)) for seed in range(5)]
ABOVE = programs(8, range(5))


def test_the_upper_layer_chooses_the_deciding_team():
    """Against programs run in plain Python; which team is chosen depends on the inputs."""
    samples = np.random.default_rng(1).uniform(0, 10, (300, N_INPUTS)).astype(np.float32)
    expected, chosen = [], []
    for seen in samples:
        chosen.append(_decide(ABOVE, seen))
        expected.append(_decide(TEAMS[chosen[-1]], seen))
    assert bid_profile(LayeredTeamPlayer(ABOVE, TEAMS), samples).tolist() == expected
    assert len(set(chosen)) > 2
    assert len(set(expected)) == 3


def _decide(team, seen):
    """The action of the highest bid, the first of equal ones."""
    return max(team, key=lambda each: plain_program(each.effective(), seen)[0]).action


@pytest.mark.parametrize("which", [0, 2, 4])
def test_a_layer_that_always_chooses_one_team_plays_like_it(which):
    library = make_matches(200, seed=3)
    matches, opponent = np.arange(len(library)), rule_player(0.2, 0.4)
    always = [Program.read(which, "r[0] = exp(r[0])"), Program((which + 1) % 5, ())]
    both = [
        play_matches(library, matches, player, opponent, wants_letters=True)
        for player in (LayeredTeamPlayer(always, TEAMS), LimitTeamPlayer(TEAMS[which]))
    ]
    assert both[0].outcomes.tobytes() == both[1].outcomes.tobytes()
    assert both[0].letters == both[1].letters
    assert both[0].active.nonzero()[0].tolist() == [0]


def test_a_saved_team_of_teams_is_the_same_player(tmp_path):
    player = LayeredTeamPlayer(ABOVE, TEAMS, name="two layers")
    agents.save_player(tmp_path / "layers.npz", player)
    again = agents.load_player(tmp_path / "layers.npz")
    assert isinstance(again, LayeredTeamPlayer)
    assert (again.name, again.programs, again.teams) == (
        "two layers",
        player.programs,
        player.teams,
    )
    assert str(again).startswith("bids for team 0:")
    assert str(again).count("team 4") == 3  # two programs bid for it


def test_bids_for_missing_teams_are_refused():
    with pytest.raises(ValueError, match=r"action of a program must be in 0 \.\. 1; got 2"):
        LayeredTeamPlayer(programs(7, (0, 2)), TEAMS[:2])
    with pytest.raises(ValueError, match=r"action of a program must be in 0 \.\. 2; got 3"):
        LayeredTeamPlayer(programs(7, (0, 1)), [TEAMS[0], programs(7, (0, 3))])
    with pytest.raises(ValueError, match=r"number of programs must be in 1 \.\. 64; got 0"):
        LayeredTeamPlayer([], TEAMS[:2])


@pytest.mark.slow
def test_the_shipped_team_of_teams_beats_its_training_opponents():
    player = agents.make("limit-layers")
    assert isinstance(player, LayeredTeamPlayer)
    assert len(player.teams) == 10
    assert {each.action for each in player.programs} <= set(range(10))
    game = nlhe_env.Game.cash(betting="fixed-limit", max_bets=4, num_hands=50)
    for name in ("loose-passive", "tight-aggressive", "tight-passive"):
        tally = agents.play([player, agents.make(name)], agents.Blocks(30), game, seed=3)
        assert tally.scores[0] > 2 * tally.errors[0], name
