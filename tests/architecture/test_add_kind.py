"""A new kind of compiled player is one file: no line of the packages refers to it."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents import Kind, register_kind
from agents.kernels import HAND_ENDS, offer_legal
from nlhe_env.kernels import kernel


@kernel
def grudge_policy(parameters, memory, view):
    """Raises with a chance that grows with what it has lost, else calls."""
    anger = min(np.float64(memory[0]) * np.float64(parameters.weights[0]), 1.0)
    offer_legal(view, 4, anger)
    offer_legal(view, 1, 1.0 - anger)


@kernel
def grudge_on_event(parameters, memory, view, event):
    """Counts the big blinds that it has lost."""
    table = view.table
    if event.what == HAND_ENDS:
        memory[0] += max(table.hand_bet[view.seat] - table.won[view.seat], 0) / table.big_blind


GRUDGE = register_kind(
    Kind("grudge", grudge_policy, on_event=grudge_on_event, memory=1, n_weights=1)
)


def test_a_kind_plays_in_both_backends_and_is_saved_by_name(tmp_path):
    player = agents.CompiledPlayer("Ann", "grudge", np.array([0.05], np.float32))
    agents.save_player(tmp_path / "ann.npz", player)
    players = [agents.load_player(tmp_path / "ann.npz"), agents.make("caller")]
    game = nlhe_env.Game.cash(num_hands=30)
    tally = agents.play(agents.pack_players(players), agents.Blocks(4), game, seed=2)
    assert tally.decisions > 0

    env = nlhe_env.raw_env(2, game=game, actions="sized")
    seats = agents.Lineup(env, dict(zip(env.possible_agents, players, strict=True)))
    env.reset(seed=1)
    lost, chances = 0.0, []
    while not env.terminations["player_0"]:
        if env.agent_selection == "player_0":
            chances.append(seats.policy()[4])
            assert chances[-1] == pytest.approx(min(0.05 * lost, 1.0), abs=1e-6)
        env.step(seats.action())
        lost += sum(max(-hand["net"].get("player_0", 0), 0) / 100 for hand in env.hands_over)
    assert chances[0] == 0.0 < chances[-1]
