"""Learn heads-up hold'em by policy gradients against a random opponent, with NumPy alone.

A softmax policy with one hidden layer gets the 35 inputs of the decision and learns from the big
blinds won in its hands: REINFORCE with the mean as baseline and Adam. 512 tables play in lockstep.

Usage: python examples/policy_gradient.py [--updates 150] [--tables 512] [--seed 1] [--out FILE]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

import nlhe_env

Array = npt.NDArray[np.float32]

LEARNER = 0
N_HIDDEN = 32
STEPS = 40  # at every table between updates


class Policy:
    """Network from inputs through a hidden layer of tanh units to action probabilities."""

    def __init__(self, n_inputs: int, n_actions: int, rng: np.random.Generator) -> None:
        self.weights = [
            rng.normal(0, n_inputs**-0.5, (n_inputs + 1, N_HIDDEN)).astype(np.float32),
            np.zeros((N_HIDDEN + 1, n_actions), np.float32),
        ]
        self._means = [np.zeros_like(w) for w in self.weights]
        self._squares = [np.zeros_like(w) for w in self.weights]
        self._n_updates = 0

    def probabilities(self, inputs: Array, masks: npt.NDArray[np.int8]) -> tuple[Array, Array]:
        """Probabilities of actions ``(n, n_actions)``, and the hidden units ``(n, N_HIDDEN)``."""
        first, second = self.weights
        hidden = np.tanh(inputs @ first[:-1] + first[-1])
        scores = np.where(masks == 1, hidden @ second[:-1] + second[-1], -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True), hidden

    def update(
        self, inputs: Array, masks: npt.NDArray[np.int8], actions: npt.NDArray[np.int64],
        advantages: Array, *, rate: float = 0.01, entropy: float = 0.02,
    ) -> None:  # fmt: skip
        """One step of Adam up the gradient of log-probability times advantage, plus entropy."""
        p, hidden = self.probabilities(inputs, masks)
        taken = np.eye(p.shape[1], dtype=np.float32)[actions]
        log_p = np.log(np.maximum(p, 1e-12))
        surprise = -log_p - -(p * log_p).sum(axis=1, keepdims=True)
        slope = ((taken - p) * advantages[:, None] + entropy * p * surprise) / len(actions)
        back = (slope @ self.weights[1][:-1].T) * (1 - hidden**2)
        gradients = [
            np.vstack([inputs.T @ back, back.sum(axis=0)]),
            np.vstack([hidden.T @ slope, slope.sum(axis=0)]),
        ]
        self._n_updates += 1
        for w, mean, square, gradient in zip(
            self.weights, self._means, self._squares, gradients, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = mean / (1 - 0.9**self._n_updates)
            spread = np.sqrt(square / (1 - 0.999**self._n_updates))
            w += rate * unbiased / (spread + 1e-8)


def draw(probabilities: Array, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One sampled action per row."""
    bounds = probabilities.cumsum(axis=1)
    u = rng.random((len(bounds), 1)) * bounds[:, -1:]
    return (bounds <= u).sum(axis=1)


def collect(
    batch: nlhe_env.BatchEnv, policy: Policy, rng: np.random.Generator
) -> tuple[Array, npt.NDArray[np.int8], npt.NDArray[np.int64], Array]:
    """Play some steps; returns the learner's decisions in finished hands, with their winnings.

    Every hand is an episode here: its winnings are the return of all its decisions.
    """
    n = batch.num_tables
    turns = batch.reset()
    inputs = np.zeros((STEPS, n, batch.observation_size), np.float32)
    masks = np.zeros((STEPS, n, batch.n_actions), np.int8)
    actions = np.zeros((STEPS, n), np.int64)
    hands = np.zeros((STEPS, n), np.int64)  # hand number at each table
    learns = np.zeros((STEPS, n), bool)
    won = np.zeros((STEPS + 1, n), np.float32)  # by each hand
    hand = np.zeros(n, np.int64)
    rows = np.arange(n)
    for t in range(STEPS):
        inputs[t], masks[t], hands[t] = turns.observation, turns.action_mask, hand
        learns[t] = turns.player == LEARNER
        p, _ = policy.probabilities(inputs[t], masks[t])
        actions[t] = np.where(learns[t], draw(p, rng), batch.sample_actions(rng))
        turns = batch.step(actions[t])
        won[hand, rows] += turns.rewards[:, LEARNER]
        hand += turns.terminated
    used = learns & (hands < hand)
    returns = won[hands, rows]
    return inputs[used], masks[used], actions[used], returns[used]


def evaluate(policy: Policy, *, n_hands: int, seed: int) -> tuple[float, float]:
    """Big blinds per hand against the random opponent, and the standard error."""
    batch = new_batch(min(n_hands, 1000))
    rng = np.random.default_rng(seed)
    turns = batch.reset(seed=seed)
    won = []
    quota = -(-n_hands // batch.num_tables)  # hands per table: short hands must not count more
    played = np.zeros(batch.num_tables, np.int64)
    while (played < quota).any():
        p, _ = policy.probabilities(turns.observation, turns.action_mask)
        ids = np.where(turns.player == LEARNER, draw(p, rng), batch.sample_actions(rng))
        turns = batch.step(ids)
        won.append(turns.rewards[turns.terminated & (played < quota), LEARNER].copy())
        played += turns.terminated
    results = np.concatenate(won)
    return float(results.mean()), float(results.std() / len(results) ** 0.5)


def new_batch(n_tables: int) -> nlhe_env.BatchEnv:
    return nlhe_env.BatchEnv(
        n_tables, 2, mode="cash", starting_stack=40, blinds=(1, 2), reward="big_blinds",
        observation="features_scaled",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--tables", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=50_000, help="of an evaluation")
    parser.add_argument("--out", type=Path, help="save the weights here (.npz)")
    options = parser.parse_args()

    rng = np.random.default_rng(options.seed)
    batch = new_batch(options.tables)
    batch.reset(seed=options.seed)
    policy = Policy(batch.observation_size, batch.n_actions, rng)
    start = time.perf_counter()
    for update in range(options.updates + 1):
        if update % max(1, options.updates // 5) == 0:
            mean, error = evaluate(policy, n_hands=options.hands, seed=options.seed + 1)
            seconds = time.perf_counter() - start
            won = f"{mean:+z.2f} ± {1.96 * error:.2f} big blinds a hand"
            print(f"update {update:>4}: {won}   ({seconds:.1f} s)")
        inputs, masks, actions, returns = collect(batch, policy, rng)
        advantages = (returns - returns.mean()) / (returns.std() + 1e-6)
        policy.update(inputs, masks, actions, advantages)
    if options.out:
        np.savez(options.out, first=policy.weights[0], second=policy.weights[1])
        print(f"weights in {options.out}")


if __name__ == "__main__":
    main()
