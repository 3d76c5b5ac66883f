"""Teach a network to imitate another player, as a start for evolution and search.

    python examples/imitate_a_player.py --out start.npz
    nlhe train --preset published-field-cma-es --init start.npz

The teacher plays tournaments against the published benchmark players; its observations and actions
are the training set of a 35-20-5 network, whose probabilities of the same actions are raised by
gradient steps (Adam). Then both play duplicate tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import agents
import nlhe_env

FIELD = (
    "random",
    "raiser",
    "folder",
    "caller",
    "call-or-raise",
    "old-best",
    "old-scratch",
    "old-start",
)
Array = npt.NDArray[np.float64]


class Recorder:
    """Plays like the teacher, and records its observations and actions."""

    def __init__(self, teacher: agents.Player) -> None:
        self.teacher = teacher
        self.inputs: list[npt.NDArray[np.float32]] = []
        self.masks: list[npt.NDArray[np.int8]] = []
        self.actions: list[int] = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        action = self.teacher.act(observation, info)
        self.inputs.append(observation["observation"].copy())
        self.masks.append(observation["action_mask"].copy())
        self.actions.append(action)
        return action


def record_decisions(teacher: agents.Player, tournaments: int) -> Recorder:
    """Decisions of the teacher in tournaments against the benchmark players."""
    recorder = Recorder(teacher)
    env = nlhe_env.raw_env(
        num_players=len(FIELD) + 1, observation="features_scaled", actions="sized"
    )
    seats = [recorder, *(agents.make(name) for name in FIELD)]
    for seed in range(tournaments):
        agents.play_episode(env, dict(zip(env.possible_agents, seats, strict=True)), seed=seed)
    return recorder


def sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def teach(recorder: Recorder, *, epochs: int, seed: int) -> Array:
    """Genome of a network trained to imitate the teacher."""
    inputs = np.array(recorder.inputs, np.float64)
    inputs = np.hstack([inputs, np.ones((len(inputs), 1))])  # the bias is an additional input
    masks = np.array(recorder.masks, np.float64)
    wanted = np.eye(5)[recorder.actions]
    rng = np.random.default_rng(seed)
    layers = [rng.normal(0.0, 0.3, (36, 20)), rng.normal(0.0, 0.3, (21, 5))]
    means, squares = ([np.zeros_like(w) for w in layers] for _ in range(2))
    step, batch = 0, 512
    for epoch in range(epochs):
        rate = 0.01 * (1.0 - epoch / epochs)
        order = rng.permutation(len(inputs))
        loss = 0.0
        for first in range(0, len(order), batch):
            rows = order[first : first + batch]
            x, mask, want = inputs[rows], masks[rows], wanted[rows]
            hidden = np.hstack([sigmoid(x @ layers[0]), np.ones((len(rows), 1))])
            outputs = sigmoid(hidden @ layers[1])
            legal = outputs * mask
            chances = legal / legal.sum(axis=1, keepdims=True)
            loss -= float(np.log((chances * want).sum(axis=1) + 1e-12).sum())
            # Gradient of the negative log probability of the teacher's action.
            slope = (chances - want) * mask * (1.0 - outputs)
            back = slope @ layers[1][:-1].T * hidden[:, :-1] * (1.0 - hidden[:, :-1])
            step += 1
            for i, gradient in enumerate((x.T @ back, hidden.T @ slope)):
                g = gradient / len(rows)
                means[i] = 0.9 * means[i] + 0.1 * g
                squares[i] = 0.999 * squares[i] + 0.001 * g * g
                mean, square = means[i] / (1.0 - 0.9**step), squares[i] / (1.0 - 0.999**step)
                layers[i] -= rate * mean / (np.sqrt(square) + 1e-8)
        print(f"epoch {epoch + 1}/{epochs}: loss {loss / len(inputs):.4f}")
    return np.concatenate([w.ravel() for w in layers])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--teacher", default="pot-odds:margin=0.7,all_in_margin=0.3")
    parser.add_argument("--tournaments", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--blocks", type=int, default=200, help="of the comparison")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("imitation.npz"))
    options = parser.parse_args()

    teacher = agents.make(options.teacher)
    recorder = record_decisions(teacher, options.tournaments)
    print(f"{len(recorder.actions):,} decisions of {options.teacher}")
    genome = teach(recorder, epochs=options.epochs, seed=options.seed)
    student = agents.NetworkPlayer(
        genome.astype(np.float32),
        name="imitation",
        origin={"teacher": options.teacher, "tournaments": options.tournaments},
    )
    agents.save_player(options.out, student)
    for name, player in (("teacher", teacher), ("student", student)):
        players = [player, *(agents.make(opponent) for opponent in FIELD)]
        blocks = agents.Blocks(options.blocks)
        tally = agents.play(players, blocks, nlhe_env.Game.tournament(), seed=1)
        place, error = tally.scores[0], tally.errors[0]
        print(f"{name}: mean place {place:.2f} ± {1.96 * error:.2f} of {len(players)}")
    print(f"Saved: {options.out}")


if __name__ == "__main__":
    main()
