"""Proximal policy optimisation with action masks on a thousand tables, in one file.

After CleanRL's ``ppo.py`` (S. Huang et al., JMLR 23, 2022). The tables are one Gymnasium vector
environment whose opponents act inside compiled code. An episode is a hand of a cash game, and the
reward is the learner's result in big blinds. One half of the tables is played in a thread while the
network works on the other. Illegal actions get a logit of -1e8 (S. Huang and S.
Ontanon, 2020). Needs PyTorch (``pip install '.[rl]'``).

    python examples/ppo.py --opponents tight-aggressive loose-passive --steps 2000000
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import gymnasium
import numpy as np
import tyro

import evolve
import nlhe_env  # noqa: F401  (registers the environment)

try:
    import torch
    from torch import nn
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[rl]'") from None


@dataclass
class Args:
    """Options of the command line."""

    opponents: tuple[str, ...] = ("tight-aggressive", "loose-passive")
    """Players by name; the learner takes one more seat."""
    steps: int = 2_000_000
    """Decisions of the learners."""
    num_envs: int = 1024
    rollout: int = 16
    """Decisions at each table between updates."""
    minibatches: int = 4
    epochs: int = 4
    learning_rate: float = 1e-3
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    reward_scale: float = 0.05
    """Factor that scales rewards to about 1; a stack is 100 big blinds."""
    test_hands: int = 20_480
    """Hands of the tests before and after training."""
    seed: int = 1
    device: str = "cpu"
    """Device of the networks, such as ``cuda``; the tables stay on the processor."""
    threads: int = 1
    """Threads that play each half of the tables."""


def upload(array: np.ndarray) -> torch.Tensor:
    """Copy on the device; from pinned memory, the copy to a GPU runs beside other work."""
    device = torch.get_default_device()
    copied = torch.tensor(array, device="cpu", pin_memory=device.type == "cuda")
    return copied.to(device, non_blocking=True)


def make_envs(args: Args, num_envs: int) -> gymnasium.vector.VectorEnv:
    return gymnasium.make_vec(
        "nlhe/NoLimitHoldem-v0",
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        opponents=list(args.opponents),
        threads=args.threads,
        observation="features_unit",
        reward="big_blinds",
        blinds=(50, 100),
        starting_stack=10_000,
    )


def layer(n_in: int, n_out: int, gain: float = np.sqrt(2)) -> nn.Linear:
    linear = nn.Linear(n_in, n_out)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    """Policy network and value network."""

    def __init__(self, envs: gymnasium.vector.VectorEnv) -> None:
        super().__init__()
        (n_in,), n_actions = envs.single_observation_space.shape, envs.single_action_space.n

        def network(n_out: int, gain: float) -> nn.Sequential:
            hidden = [layer(n_in, 64), nn.Tanh(), layer(64, 64), nn.Tanh()]
            return nn.Sequential(*hidden, layer(64, n_out, gain))

        self.actor, self.critic = network(n_actions, 0.01), network(1, 1.0)

    def policy(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.distributions.Categorical:
        logits = self.actor(seen).masked_fill(~masks, -1e8)
        return torch.distributions.Categorical(logits=logits)

    def value(self, seen: torch.Tensor) -> torch.Tensor:
        return self.critic(seen).squeeze(-1)


@torch.no_grad()
def test(agent: Agent, args: Args) -> tuple[float, float]:
    """Big blinds won per hand, and half the width of the 95% interval; always the same cards."""
    envs = make_envs(args, args.num_envs)
    seen, infos = envs.reset(seed=1_000_000)
    per_env = -(-args.test_hands // args.num_envs)
    won = np.zeros((args.num_envs, per_env))
    hands = np.zeros(args.num_envs, int)
    rows = np.arange(args.num_envs)
    while (hands < per_env).any():  # equal numbers per table: short hands must not count more
        masks = upload(infos["action_mask"] == 1)
        actions = agent.policy(upload(seen), masks).sample().cpu().numpy()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        counts = hands < per_env
        won[rows[counts], hands[counts]] += rewards[counts]
        hands += terminated | truncated
    envs.close()
    result = evolve.Sample(tuple(won.flat))
    return result.mean, result.half_width()


def advantages_of(
    rewards: torch.Tensor, values: torch.Tensor, dones: torch.Tensor, last: torch.Tensor, lam: float
) -> torch.Tensor:
    """Generalised advantage estimation without discount, ``(rollout, num_envs)``."""
    advantages, running = torch.zeros_like(rewards), torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        following = values[t + 1] if t + 1 < len(values) else last
        delta = rewards[t] + following * ~dones[t] - values[t]
        running = delta + lam * running * ~dones[t]
        advantages[t] = running
    return advantages


def main(args: Args) -> None:
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # small networks are not faster with more threads
    if args.device != "cpu":
        torch.set_default_device(args.device)
    n = args.num_envs // 2
    halves = [make_envs(args, n) for _ in range(2)]
    envs = halves[0]
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    print("before: {:+z.2f} ± {:.2f} bb a hand".format(*test(agent, args)))

    shape = (args.rollout, 2, n)
    seen = torch.zeros(*shape, *envs.single_observation_space.shape)
    masks = torch.zeros(*shape, envs.single_action_space.n, dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.long)
    log_probs, values, rewards = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape)
    dones = torch.zeros(shape, dtype=torch.bool)
    start = time.perf_counter()
    waited = 0.0
    updates = max(1, args.steps // (2 * n * args.rollout))
    pool = ThreadPoolExecutor(2)
    played = [pool.submit(half.reset, seed=args.seed + n * h) for h, half in enumerate(halves)]
    last = torch.zeros(2, n)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - update / updates)
        for t, h in ((t, h) for t in range(args.rollout + 1) for h in range(2)):
            before = time.perf_counter()
            observation, *outcome, infos = played[h].result()
            waited += time.perf_counter() - before
            if t > 0:
                reward, terminated, truncated = outcome
                rewards[t - 1, h] = upload(reward * args.reward_scale)
                dones[t - 1, h] = upload(terminated | truncated)
            with torch.no_grad():
                if t == args.rollout:  # the next update begins with this turn
                    last[h] = agent.value(upload(observation))
                    continue
                seen[t, h], masks[t, h] = upload(observation), upload(infos["action_mask"] == 1)
                policy = agent.policy(seen[t, h], masks[t, h])
                actions[t, h] = chosen = policy.sample()
                played[h] = pool.submit(halves[h].step, chosen.cpu().numpy())
                log_probs[t, h], values[t, h] = policy.log_prob(chosen), agent.value(seen[t, h])
        advantages = advantages_of(rewards, values, dones, last, args.gae_lambda)
        flat = [x.flatten(0, 2) for x in (seen, masks, actions, log_probs, advantages)]
        returns = (advantages + values).flatten()
        for _ in range(args.epochs):
            for chosen in torch.randperm(len(returns)).chunk(args.minibatches):
                x, mask, action, old, gain = (each[chosen] for each in flat)
                policy = agent.policy(x, mask)
                ratio = (policy.log_prob(action) - old).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                loss = -torch.minimum(ratio * gain, clipped * gain).mean()
                loss -= args.entropy * policy.entropy().mean()
                loss += args.value_weight * (agent.value(x) - returns[chosen]).square().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
        if (update + 1) % max(1, updates // 8) == 0:
            won = (rewards.sum() / dones.sum() / args.reward_scale).item()
            steps, seconds = (update + 1) * actions.numel(), time.perf_counter() - start
            print(f"{steps:>10,} decisions, {seconds:6.1f} s: {won:+z.2f} bb a hand in training")
    seconds = time.perf_counter() - start
    print(f"trained {seconds:.0f} s, of which the game was waited for {waited / seconds:.0%}")
    print("after:  {:+z.2f} ± {:.2f} bb a hand".format(*test(agent, args)))
    pool.shutdown()
    for half in halves:
        half.close()


if __name__ == "__main__":
    main(tyro.cli(Args))
