"""The parts of the page on extensions work by their ``FILE.py:NAME``, as its commands say."""

from __future__ import annotations

import re
from pathlib import Path

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
        "steady.py",
        "climb.py",
        "habits.py",
        "rota.py",
        "round_robin.py",
        "price.py",
        "sulker.py",
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


def test_an_environment_takes_the_observation():
    env = nlhe_env.env(2, mode="cash", blinds=(10, 20), observation="price.py:PRICE")
    env.reset(seed=1)
    seen = env.last()[0]["observation"]
    np.testing.assert_allclose(seen, [10 / 40, 1, 0, 0, 0], rtol=1e-6)


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


def test_a_player_of_a_file_is_compiled():
    assert isinstance(agents.make("sulker.py:sulker:temper=0.2"), agents.CompiledPlayer)
