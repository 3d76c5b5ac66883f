"""Built-in players in a cash game with a rake, a straddle, antes, two runs and odd stacks."""

from __future__ import annotations

import pytest

import agents
import nlhe_env
from agents.player_records import PLAYERS

NO_LIMIT = [name for name, record in PLAYERS.items() if record.betting != "fixed-limit"]
QUICK = ("nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4", "pot-odds", "push-or-fold")
ENCODINGS = ("chips", (0.5, 1.0), (0.33, 0.75, 2.0))
CASES = [(name, actions) for name in QUICK for actions in ENCODINGS]
CASES += [
    pytest.param(name, ENCODINGS[i % len(ENCODINGS)], marks=pytest.mark.slow)
    for i, name in enumerate(name for name in NO_LIMIT if name not in QUICK)
]
"""The others, which are compiled players, read all encodings alike, so that each has one."""


@pytest.mark.parametrize(("name", "actions"), CASES, ids=str)
def test_players_play_with_fewer_chips_than_action_ids(name, actions):
    players = PLAYERS[name].seats or 3
    game = nlhe_env.Game.cash(
        starting_stack=2500,
        blinds=(10, 20, 5),
        num_hands=2,
        rake=nlhe_env.Rake(share=0.05, cap=60),
        straddle="under the gun",
        boards=2,
    )
    env = nlhe_env.raw_env(players, game=game, actions=actions)
    if actions == "chips":
        assert env.action_space("player_0").n == 2500 * players + 1
    seats = {f"player_{i}": "caller" for i in range(1, players)} | {"player_0": name}
    made = agents.make(name)
    if isinstance(made, agents.NLBot) and len(actions) == 3:
        made = agents.NLBot(int(name[-1]), actions=actions)
    for seed in range(3):
        stacks = ([2400, 1900, 700], [90, 2500, 2500], [2500] * 3)[seed % 3][:players]
        totals = agents.play_episode(
            env, {**seats, "player_0": made}, seed=seed, options={"stacks": stacks}
        )
        assert sum(totals.values()) <= 0  # the rake
