"""TorchRL learns in the Gymnasium environment, and plays in the PettingZoo environment."""

import numpy as np
import pytest
from client_libraries import need

need("torch", "torchrl")

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import GymWrapper, MarlGroupMapType, check_env_specs
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import nlhe_env

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


def test_leaving_agents_end_their_episodes():
    """Else it steps agents that are out with an action, which PettingZoo forbids."""
    game = nlhe_env.env(num_players=3, starting_stack=100)
    env = PettingZooWrapper(game, use_mask=True, categorical_actions=True, done_on_any=True)
    assert env.rollout(200, break_when_any_done=False).shape == (200,)
    env = PettingZooWrapper(game, use_mask=True, categorical_actions=True, done_on_any=False)
    with pytest.raises(ValueError, match="its only action is None"):
        env.rollout(1000, break_when_any_done=False)


def test_one_learner():
    """Its PPO learns in the Gymnasium environment, with the mask in the distribution."""

    def linear(outputs):
        return torch.nn.Linear(env.observation_spec["observation"].shape[-1], outputs)

    hand = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"], reward="big_blinds")
    env = GymWrapper(
        nlhe_env.MaskInObservation(hand, mask_type=np.bool_), categorical_action_encoding=True
    )
    check_env_specs(env)
    policy = ProbabilisticActor(
        TensorDictModule(linear(env.action_spec.space.n), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    value = ValueOperator(linear(1), in_keys=["observation"])
    loss, advantage = ClipPPOLoss(policy, value), GAE(gamma=1.0, lmbda=0.95, value_network=value)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    before = [weights.clone() for weights in policy.parameters()]
    for _ in range(3):
        with torch.no_grad():
            played = env.rollout(256, policy, break_when_any_done=False)
        assert played["action_mask"].gather(-1, played["action"][:, None]).all()
        assert played["next", "done"].any()
        advantage(played)
        losses = loss(played)
        optimizer.zero_grad()
        sum(part for name, part in losses.items() if name.startswith("loss_")).backward()
        optimizer.step()
    after = policy.parameters()
    assert any(not w.equal(b) for w, b in zip(after, before, strict=True))
