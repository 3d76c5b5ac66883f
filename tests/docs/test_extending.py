"""The parts of the page on extensions work by their ``FILE.py:NAME``, and by registered names."""

import copy
import pickle
import re
import runpy
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import agents
import evolve
import nlhe_env

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text()
FILES = dict(re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [
    command
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for command in block.splitlines()
]
TINY = "--generations 2 --population 10 --workers 1 --runs runs"
SMALL = {
    "nlhe train --preset heads-up --schedule": f"{TINY} --test-blocks 0",
    "nlhe train --preset heads-up": f"{TINY} --blocks 2 --test-blocks 0",
    "nlhe train": f"{TINY} --elites 2 --tournaments 2 --hall-of-fame 0 --progress-tournaments 0",
    "nlhe study compare": "--hands 2000 --population 8 --blocks 2 --test-blocks 2 --workers 1 "
    "--seeds 1",
    "nlhe league": "--games 100 --workers 1",
    "nlhe evaluate": "--blocks 2 --workers 1",
}
"""Options that make a command small, by its beginning."""


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch, registers):
    """The files of the page in the current folder."""
    for name, code in FILES.items():
        (tmp_path / name).write_text(code)
    monkeypatch.chdir(tmp_path)


def test_the_page_has_seven_parts():
    assert list(FILES) == [
        *("steady.py", "climb.py", "habits.py", "rota.py", "round_robin.py", "price.py"),
        *("sulker.py",),
    ]
    assert len(COMMANDS) == 10


@pytest.mark.parametrize("command", COMMANDS)
def test_command_works(command, capsys):
    if command.endswith("--help"):
        assert evolve.main(command.split()[1:]) == 0
        assert "Standard errors to add." in capsys.readouterr().out
        return
    small = next(options for start, options in SMALL.items() if command.startswith(start))
    assert evolve.main([*command.split()[1:], *small.split()]) == 0, capsys.readouterr().err


def test_a_run_keeps_the_names_of_its_files():
    values = {
        "fitness": "steady.py:Steady",
        "optimizer": "climb.py",
        "inputs": "price.py:PRICE",
        "opponents": "rota.py",
        "schedule": "round_robin.py",
    }
    for key, text in values.items():
        plain = key in ("fitness", "inputs")
        start = evolve.Config() if plain else evolve.load_preset("heads-up")
        config = start.with_values(**{key: text})
        assert config.values()[key] == text
        folder = evolve.RunFolder.create(Path("runs"), config)
        assert folder.load_config() == config


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("fitness", "climb.py:Climb", "climb.py does not define a fitness function"),
        ("fitness", "steady.py:Stedy", 'did you mean "Steady"'),
        ("optimizer", "nothing.py:Climb", "the file nothing.py cannot be read"),
        ("genomes", "habits.py:HabitKind:change=1", "takes no options in its name"),
    ],
)
def test_a_wrong_name_is_explained(key, text, words):
    with pytest.raises(ValueError, match=words):
        evolve.Config().with_values(**{key: text})


# --- the parts themselves -------------------------------------------------------------------------


def part(text):
    """What a file of the page defines."""
    file, _, name = text.partition(":")
    return runpy.run_path(file)[name]


TOURNAMENTS = {"population": 12, "elites": 3, "tournaments": 8, "hall_of_fame": 6}
HEADS_UP = {"population": 10, "test_blocks": 0}


@pytest.mark.parametrize(
    ("register", "key", "text", "values"),
    [
        (evolve.register_fitness, "fitness", "steady.py:Steady", {"caution": 2.0}),
        (evolve.register_genomes, "genomes", "habits.py:HabitKind", {"change": 0.1}),
        (evolve.register_optimizer, "optimizer", "climb.py:Climb", {"patience": 3, "blocks": 2}),
        (evolve.register_opponents, "opponents", "rota.py:Rota", {"stay": 2, "blocks": 2}),
        (evolve.register_schedule, "schedule", "round_robin.py:RoundRobin", {"meetings": 2}),
    ],
    ids=["fitness", "genomes", "optimizer", "opponents", "schedule"],
)
def test_a_registered_name_trains_in_the_common_run_and_continues(register, key, text, values):
    register("of-this-test", part(text))
    in_tournaments = key in ("fitness", "genomes")
    start = evolve.Config() if in_tournaments else evolve.load_preset("heads-up")
    sizes = TOURNAMENTS if in_tournaments else HEADS_UP
    config = start.with_values(**{key: "of-this-test"}, **sizes, **values, generations=2)
    folder = evolve.RunFolder.create(Path("runs"), config)
    with evolve.thread_workers(1) as workers:
        evolve.train(folder, config, folder.restore(config, say=print), workers=workers)
        longer = config.with_values(generations=3)
        evolve.train(folder, longer, folder.restore(longer, say=print), workers=workers)
    assert evolve.RunFolder.open(folder.path).load_config() == config
    assert [line["generation"] for line in folder.metrics()] == [1, 2, 3]
    if key == "genomes":
        assert folder.champion().name.lower() in ("folder", "caller", "raiser", "random")
    if key == "schedule":
        with pytest.raises(ValueError, match='opponents "hall" are ranked'):
            config.with_values(opponents="hall")


def test_the_fitness_function_adds_standard_errors():
    players = agents.pack_players([agents.make(name) for name in ("caller", "raiser", "random")])
    tally = agents.play(players, agents.Tournaments(20), nlhe_env.Game.tournament(), seed=1)
    found = part("steady.py:Steady")(caution=2.0).measure(tally)
    np.testing.assert_allclose(found.values, tally.scores + 2.0 * tally.errors)


def test_the_optimizer_climbs():
    climb = part("climb.py:Climb")(np.ones(3), population=20, sigma=0.5, seed=1)
    for _ in range(60):
        climb.tell(-np.square(climb.ask()).sum(axis=1))
    assert np.abs(climb.recommend()).max() < 0.1


def test_environments_batches_and_networks_use_the_observation():
    game = {"mode": "cash", "blinds": (10, 20), "observation": "price.py:PRICE"}
    env = nlhe_env.env(2, **game)
    env.reset(seed=1)
    seen = env.last()[0]["observation"]
    np.testing.assert_allclose(seen, [10 / 40, 1, 0, 0, 0], rtol=1e-6)
    assert [(part.name, part.start) for part in env.parts] == [("pot_odds", 0), ("street", 1)]
    for played_on in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        np.testing.assert_array_equal(played_on.last()[0]["observation"], seen)
    turns = nlhe_env.BatchEnv(3, 2, **game).reset(seed=1)
    np.testing.assert_array_equal(turns.observation, [seen] * 3)
    single = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"], **game)
    observation, info = single.reset(seed=1)
    assert single.observation_space.contains(observation)
    assert observation[0] == np.float32(info["to_call"] / (info["pot"] + info["to_call"]))
    # With one hidden unit that the pot odds switch on: it folds to any bet, and calls nothing.
    to_hidden, to_actions = [90, 0, 0, 0, 0, -9], [180, -180, 0, 0, 0, -90, 90, -90, -90, -90]
    weights = np.array([*to_hidden, *to_actions], np.float32)
    folder = agents.NetworkPlayer(weights, inputs="price.py:PRICE", hidden=(1,))
    batch = agents.pack_players([folder, agents.make("raiser")])
    tally = agents.play(batch, agents.Blocks(3), nlhe_env.Game.cash(), seed=1)
    assert tally.totals.tolist() == [-9000, 9000]  # half of the blinds of 120 hands


def test_the_kind_of_player_plays_in_both_backends_and_is_saved_by_name():
    made = agents.make("sulker.py:sulker:temper=0.05")
    assert isinstance(made, agents.CompiledPlayer)
    agents.save_player("ann.npz", made)
    players = [agents.load_player("ann.npz"), agents.make("caller")]
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
