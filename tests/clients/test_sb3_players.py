"""Models of Stable-Baselines3 and sb3-contrib as players: states, statistics, files, an example."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from client_libraries import need

need("sb3_contrib")

from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

import agents
import nlhe_env

pytestmark = pytest.mark.filterwarnings("ignore")

EXAMPLE = Path(__file__).parents[2] / "examples" / "six_max_sb3.py"
GAME = nlhe_env.Game.cash(num_hands=5, score="big_blinds")


def table(**options):
    return gymnasium.make(
        "nlhe/NoLimitHoldem-v0",
        opponents=["caller"],
        observation="features_scaled",
        illegal_action="call",
        **options,
    )


def model_of(algorithm):
    policy = "MlpLstmPolicy" if algorithm is RecurrentPPO else "MlpPolicy"
    options = {"buffer_size": 100} if algorithm is DQN else {}
    return algorithm(policy, table(), device="cpu", seed=1, **options)


@pytest.mark.parametrize("algorithm", [MaskablePPO, RecurrentPPO, PPO, A2C, DQN])
def test_the_file_that_the_bench_prints_plays_the_model(algorithm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model_of(algorithm).save("model.zip")
    with pytest.raises(ValueError, match="Save these lines as my_bot") as error:
        agents.bench("model.zip", hands=20)
    Path("my_bot.py").write_text(str(error.value).split("\n\n", 1)[1])
    card = agents.bench("my_bot.py:player", hands=20, seed=1, bound=False)
    assert card.player == algorithm.__name__
    assert card.suites["heads-up"].decisions > 0


def test_a_recurrent_model_gets_its_state_back():
    model = model_of(RecurrentPPO)
    told = []
    predict = model.policy.predict

    def watched(observation, state=None, episode_start=None, deterministic=False):
        answer = predict(observation, state, episode_start, deterministic)
        told.append((state, episode_start, answer[1]))
        return answer

    model.policy.predict = watched
    player = agents.from_sb3(model, deterministic=True)
    agents.play_episode(
        nlhe_env.env(2, mode="cash", num_hands=20, actions=(0.5, 1.0)),
        {"player_0": player, "player_1": agents.make("caller")},
        seed=1,
    )
    assert told[0][0] is None
    assert [bool(start[0]) for _, start, _ in told] == [True] + [False] * (len(told) - 1)
    for (_, _, after), (before, _, _) in pairwise(told):
        assert before is after


def test_statistics_of_the_training_are_applied():
    envs = VecNormalize(DummyVecEnv([table]))
    model = PPO("MlpPolicy", envs, n_steps=64, batch_size=64, device="cpu", seed=1)
    model.learn(64)
    seen = []
    predict = model.predict
    model.policy.predict = lambda observation, *_: seen.append(observation) or (np.int64(1), None)
    assert predict.__self__ is model
    scores = agents.play([agents.from_sb3(model), "caller"], agents.Blocks(2), GAME, seed=1).scores
    assert scores.tolist() == [0.0, 0.0]
    raw = []

    def policy(observation, mask):
        raw.append(observation.copy())
        return 1

    agents.play([agents.from_policy(policy), "caller"], agents.Blocks(2), GAME, seed=1)
    np.testing.assert_allclose(seen, [envs.normalize_obs(each) for each in raw])


def test_the_code_of_the_readme_ends_in_a_rating(tmp_path, monkeypatch, capsys):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    for full, tiny in (
        ("1_000_000, 2_000", "64, 72"),
        ("4096", "16"),
        ("Args()", "Args(num_envs=8)"),
    ):
        assert full in code
        code = code.replace(full, tiny)
    monkeypatch.syspath_prepend(EXAMPLE.parent)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README", "exec"), {"__name__": "__main__"})
    assert re.search(r"^rating \S+ ± \S+$", capsys.readouterr().out, re.MULTILINE)


def test_the_six_max_example_ends_in_a_scorecard(tmp_path):
    options = ["--steps", "64", "--num-envs", "8", "--rollout", "4", "--hands", "72"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *options, "--out", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^nit .* bb/100\nrating \S+ ± \S+$", done.stdout, re.MULTILINE)
    assert (tmp_path / "model.zip").is_file()
    assert (tmp_path / "scorecard.json").is_file()
