"""The functions behind the command line return an exit code for every error, with one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import evolve
from agents.commands.main import main as of_agents
from nlhe_env.__main__ import main as of_cards

Main = Callable[[list[str]], int]


@pytest.mark.parametrize(
    ("main", "line", "code"),
    [
        (evolve.main, "", 2),
        (evolve.main, "--help", 0),
        (evolve.main, "train --help", 0),
        (evolve.main, "trian", 2),
        (evolve.main, "train --config mine.toml", 2),
        (evolve.main, "train --preset nobody", 2),
        (evolve.main, "train --optimizer genetic --genomes teams", 2),
        (evolve.main, "train --preset heads-up --genomes teams", 2),
        (evolve.main, "train --preset heads-up --track parents", 2),
        (evolve.main, "train --preset quick --track bounds:1", 2),
        (evolve.main, "train --preset heads-up --track bounds:0", 2),
        (evolve.main, "evaluate nowhere", 2),
        (of_agents, "", 2),
        (of_agents, "solve", 2),
        (of_agents, "solve --help", 0),
        (of_agents, "bench", 2),
        (of_agents, "players nobody", 2),
        (of_cards, "", 2),
        (of_cards, "equity AhKh --bord Qs", 2),
        (of_cards, "hands nowhere.txt", 1),
    ],
)
def test_an_error_is_a_line_and_an_exit_code(
    main: Main,
    line: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert bool(said.err) == bool(code)
    assert not list(tmp_path.iterdir())  # such as the folder of a run


def test_an_error_of_a_command_has_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = {ValueError("wrong"): 2, OSError("gone"): 1, RuntimeError("failed"): 1}
    for error, code in {**errors, KeyboardInterrupt(): 130, SystemExit("ended"): 1}.items():

        def run(command: object, reporter: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr("evolve.commands.presets.Presets.run", run)
        assert evolve.main(["presets"]) == code
