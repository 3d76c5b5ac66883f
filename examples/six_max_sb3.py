"""Six-max with sb3-contrib's MaskablePPO on a thousand compiled tables, up to a scorecard.

Stable-Baselines3 has its own form of vector environments, so ``Tables`` hands it the tables of
Gymnasium's. The opponents of an episode are five named players; the learner's seat is drawn.

Needs sb3-contrib: ``pip install '.[rl]'``.

    python examples/six_max_sb3.py --steps 1000000 --hands 2000
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import tyro

import agents
import nlhe_env  # noqa: F401  (registers the environment)

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[rl]'") from None


@dataclass
class Args:
    """Options of the command line."""

    opponents: tuple[str, ...] = ("caller", "pot-odds", "formula", "tight-passive", "random")
    """Players by name in the other seats."""
    steps: int = 1_000_000
    """Decisions of the learner."""
    num_envs: int = 1024
    rollout: int = 16
    """Decisions at each table between updates."""
    hands: int = 2_000
    """Hands of the scorecard against each anchor."""
    reward_scale: float = 0.05
    """Factor that scales rewards to about 1; a stack is 100 big blinds."""
    out: Path = Path("six-max")
    """Folder for the model and the scorecard."""
    device: str = "cpu"
    """Device of the networks, such as ``cuda``; the tables stay on the processor."""
    seed: int = 1


class Tables(VecEnv):
    """The compiled tables as a vector environment of Stable-Baselines3."""

    def __init__(self, args: Args) -> None:
        self.envs: Any = gymnasium.make_vec(
            "nlhe/NoLimitHoldem-v0",
            num_envs=args.num_envs,
            vectorization_mode="vector_entry_point",
            autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
            opponents=list(args.opponents),
            learner="random",
            observation="features_unit",
            reward="big_blinds",
            blinds=(50, 100),
            starting_stack=10_000,
        )
        self.render_mode = None
        self.scale = args.reward_scale
        super().__init__(
            args.num_envs, self.envs.single_observation_space, self.envs.single_action_space
        )

    def reset(self) -> np.ndarray:
        (seed, *_), self._seeds = self._seeds, [None] * self.num_envs
        observations, _ = self.envs.reset(seed=seed)
        return observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, infos = self.envs.step(self.actions)
        dones = terminated | truncated
        final_infos: list[dict[str, Any]] = [{} for _ in dones]
        for i in np.flatnonzero(dones):
            final_infos[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
            }
        return observations.copy(), (rewards * self.scale).astype(np.float32), dones, final_infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return list(self.envs.action_masks())

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"  # the library asks whether there are masks

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> Sequence[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.envs.close()


def main(args: Args) -> None:
    torch.set_num_threads(1)  # small networks are not faster with more threads
    model = MaskablePPO(
        "MlpPolicy",
        Tables(args),
        n_steps=args.rollout,
        batch_size=max(2, args.num_envs * args.rollout // 4),
        n_epochs=4,
        gamma=1.0,  # an episode is one hand
        learning_rate=1e-3,
        ent_coef=0.01,
        seed=args.seed,
        device=args.device,
    )
    model.learn(args.steps)
    args.out.mkdir(parents=True, exist_ok=True)
    model.save(args.out / "model.zip")
    print(f"{model.num_timesteps:,} decisions; model in {args.out / 'model.zip'}")

    player = agents.from_sb3(model, observation="features_unit")
    card = agents.bench(player, ["six-max"], hands=args.hands, seed=args.seed, out=args.out)
    result = card.suites["six-max"]
    for one in result.results.values():
        print(f"{one.opponent:14} {one.mean:+z8.0f} ± {one.error:.0f} {one.unit}")
    if result.rating is not None:  # from two blocks of 36 hands on
        print(f"rating {result.rating:.1f} ± {result.rating_error:.1f}")


if __name__ == "__main__":
    main(tyro.cli(Args))
