"""TorchRL wraps the PettingZoo environment and plays in it."""

from __future__ import annotations

import pytest
from client_libraries import need

need("torch", "torchrl")

from torchrl.envs import MarlGroupMapType, check_env_specs  # noqa: E402
from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # noqa: E402

import nlhe_env  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize(
    "groups", [MarlGroupMapType.ALL_IN_ONE_GROUP, MarlGroupMapType.ONE_GROUP_PER_AGENT]
)
def test_all_agents_of_a_cash_game(groups):
    game = nlhe_env.env(num_players=3, mode="cash", num_hands=20)
    env = PettingZooWrapper(game, use_mask=True, categorical_actions=True, group_map=groups)
    check_env_specs(env)
    played = env.rollout(100, break_when_any_done=False)
    group = "agents" if groups == MarlGroupMapType.ALL_IN_ONE_GROUP else "player_0"
    assert {"pot", "to_call", "place"} <= set(played[group, "info"].keys())


def test_agents_that_leave_end_its_episodes():
    """Else it steps agents that are out with an action, which PettingZoo forbids."""
    game = nlhe_env.env(num_players=3, starting_stack=100)
    env = PettingZooWrapper(game, use_mask=True, categorical_actions=True, done_on_any=True)
    assert env.rollout(200, break_when_any_done=False).shape == (200,)
    env = PettingZooWrapper(game, use_mask=True, categorical_actions=True, done_on_any=False)
    with pytest.raises(ValueError, match="its only action is None"):
        env.rollout(1000, break_when_any_done=False)
