"""Examples of learning in self-play: they learn, go on after an interruption, and play compiled."""

import dataclasses
import importlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
import nlhe_env

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[rl]'")

EXAMPLES = Path(__file__).parents[2] / "examples"
UNIFORM = 11 / 24
"""Exploitability of the uniform policy in Kuhn's poker, in chips a hand."""

SMALL = {
    "self_play_ppo": {"hands": 60_000, "num_tables": 256, "hidden": (16,), "learning_rate": 0.01},
    "nfsp": {
        "hands": 40_000,
        "num_tables": 128,
        "hidden": (32,),
        "learning_rate": 5e-3,
        "batches": 2,
    },
    "deep_cfr": {"iterations": 10, "walks": 200, "steps": 100, "hidden": (32,), "batch_size": 256},
}


def load(name):
    """The example as a module that is known by name, since checkpoints are pickles."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(script, name, **values):
    return script.main(script.Args(**{"game": "kuhn", "reports": 2, **SMALL[name], **values}))


@pytest.mark.parametrize("name", SMALL)
def test_exploitability_falls_to_less_than_half_of_the_uniform_policy(name, capsys):
    assert run(load(name), name) < UNIFORM / 2
    assert "exploitability" in capsys.readouterr().out


@pytest.mark.parametrize("name", SMALL)
def test_an_interrupted_run_ends_as_one_that_never_stopped(name, tmp_path, monkeypatch, capsys):
    script, save, saved = load(name), torch.save, []
    whole = run(script, name)

    def save_in_part(what, path):
        save(what, path)
        saved.append(path)
        if len(saved) == 2:
            path.write_bytes(path.read_bytes()[:1000])
            raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", save_in_part)
    with pytest.raises(KeyboardInterrupt):
        run(script, name, out=tmp_path)
    monkeypatch.setattr(torch, "save", save)
    with pytest.raises(SystemExit, match=r"checkpoint\.pt is of a run with game kuhn; got leduc"):
        run(script, name, out=tmp_path, game="leduc")
    assert run(script, name, out=tmp_path) == whole
    assert "goes on after" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["self_play_ppo", "nfsp"])
def test_policies_are_saved_as_compiled_players_with_the_same_chances(name):
    script = load(name)
    args = script.Args(game="holdem", hidden=(8, 6), num_tables=4)
    torch.manual_seed(3)
    if name == "self_play_ppo":
        tables = script.make_tables(args)
        net = script.Agent(tables.observation_size, 5, args.hidden)
        player = script.compiled_player(net, args.hidden)

        def chances(seen, masks):
            return net.log_policy(seen, masks).exp()
    else:
        learner = script.Learner(args)
        player, chances = script.compiled_player(learner.average, args.hidden), learner.chances
    env = nlhe_env.raw_env(
        2, mode="cash", blinds=(50, 100), actions=(0.5, 1.0), observation="features_cash"
    )
    seats = agents.Lineup(env, dict.fromkeys(env.possible_agents, player))
    env.reset(seed=1)
    for _ in range(3):
        observation = env.observe(env.agent_selection)
        seen = torch.tensor(observation["observation"])[None]
        masks = torch.tensor(observation["action_mask"])[None] == 1
        expected = chances(seen, masks)[0].detach().numpy()
        # The lineup names raises small, medium or large: half the pot and the pot are both small.
        expected[2] += expected[3]
        expected[3] = 0
        np.testing.assert_allclose(seats.policy(), expected, atol=1e-5)
        env.step(1)


def test_larger_tables_are_evaluated_by_winnings(tmp_path, capsys):
    script = load("self_play_ppo")
    args = script.Args(
        game="holdem", players=6, hands=3_000, num_tables=64, hidden=(8,), lbr_blocks=20,
        reports=1, out=tmp_path,
    )  # fmt: skip
    won = script.main(args)
    assert f"wins {won:.0f} ± " in capsys.readouterr().out
    game = nlhe_env.Game.cash(
        table_size=6, blinds=(50, 100), starting_stack=10_000, num_hands=1, score="big_blinds"
    )
    saved = agents.load_player(tmp_path / "player.npz")
    tally = agents.play([saved, *[script.OPPONENT] * 5], agents.Blocks(20), game, seed=7)
    assert won == pytest.approx(100 * tally.scores[0] * tally.count / tally.hands)


@pytest.mark.parametrize(("name", "arm"), [("self_play_ppo", "ppo-magnet"), ("nfsp", "nfsp")])
def test_the_study_of_learners_names_every_option_that_affects_learning(name, arm, monkeypatch):
    """A default that changes must not mix with earlier runs."""
    monkeypatch.syspath_prepend(EXAMPLES)
    study = importlib.import_module("learners_study")
    others = {"game", "hands", "seed", "device", "threads", "reports", "lbr_blocks", "out", "track"}
    others |= {"players"}  # of six-max, which names it
    options = {one.name for one in dataclasses.fields(load(name).Args)} - others
    for settings in study.GRIDS[arm]:
        assert settings.keys() == options
