"""Comparisons of optimizers, and the commands that train by them."""

import sys

from training_runs import evolve

from evolve.commands.main import main
from evolve.training.config_files import load_config, preset_games
from nlhe_env.extras import install_command


def test_invalid_commands_are_refused(tmp_path, capsys, monkeypatch):
    def error(*arguments: str) -> str:
        assert evolve(*arguments) == 2
        return capsys.readouterr().err

    runs = ["--runs", str(tmp_path)]
    assert "--learning-rate" in error("train", "--preset", "heads-up", "--learning-rate", "1")
    assert "did you mean 'heads-up'" in error("train", "--preset", "heads-upp", *runs)
    assert "elites" in error("train", "--preset", "heads-up-genetic", "--elites", "64", *runs)
    assert "no run in" in error("train", "--resume", "latest", *runs)
    assert "not a run folder" in error("train", "--resume", str(tmp_path), *runs)
    monkeypatch.setitem(sys.modules, "ribs", None)  # as if it were not installed
    missing = f"error: map-elites needs ribs: {install_command('qd')}\n"
    assert error("train", "--preset", "heads-up-map-elites", *runs) == missing
    out = ["--out", str(tmp_path / "out")]
    assert error("study", "compare", "--variants", "map-elites", *out) == missing
    assert "it has --seeds" in error("study", "compare", "--seed", "1", *out)
    assert "contains no finished comparison runs" in error(
        "study", "compare", "--only", "report", "--out", str(tmp_path)
    )
    assert not list(tmp_path.iterdir())


def test_comparison_runs_every_optimizer_and_seed_and_resumes(tmp_path, capsys):
    arguments = ["study", "compare", "--preset", "heads-up", "--out", str(tmp_path / "out")]
    arguments += ["--seeds", "4-5"]
    arguments += ["--variants", "openai-es", "mutation", "--hands", "4000", "--blocks", "2"]
    arguments += ["--population", "16", "--test-blocks", "10"]
    assert main(arguments) == 0
    out = tmp_path / "out"
    assert "mean over the seeds" in capsys.readouterr().out
    names = sorted(path.name for path in out.iterdir() if path.is_dir())
    assert names == ["mutation-4", "mutation-5", "openai-es-4", "openai-es-5"]
    curves = (out / "curves.csv").read_text().splitlines()
    assert len(curves) == 1 + 2 * 50
    before = {file.name: file.read_bytes() for file in out.glob("*.*")}
    assert "comparison.png" in before
    assert main(arguments) == 0  # nothing is left to play
    assert {file.name: file.read_bytes() for file in out.glob("*.*")} == before
    assert main([*arguments, "--test-blocks", "12"]) == 2
    assert "test_blocks is 10 in the run and 12 now" in capsys.readouterr().err


def test_comparison_flags_apply_to_all_even_if_equal_to_a_preset(tmp_path):
    """The step is 0.1 in the preset of the first optimizer, and 0.3 in that of the second."""
    out = tmp_path / "out"
    arguments = ["study", "compare", "--out", str(out), "--seeds", "1", "--generations", "1"]
    arguments += ["--variants", "genetic", "cma-es", "--sigma", "0.1", "--blocks", "2"]
    arguments += ["--population", "16", "--test-blocks", "2", "--hands", "1000"]
    assert main(arguments) == 0
    for name in ("genetic-1", "cma-es-1"):
        assert load_config(out / name / "config.toml").optimizer.sigma == 0.1


def test_comparison_accepts_options_of_its_optimizers(tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["study", "compare", "--out", str(out), "--seeds", "1", "--generations", "1"]
    arguments += ["--variants", "mutation", "genetic", "--novelty"]
    arguments += ["--blocks", "2", "--test-blocks", "2"]
    assert main(arguments) == 0
    assert "nan" not in capsys.readouterr().out  # a single seed has no interval
    assert all(load_config(file).optimizer.novelty for file in sorted(out.glob("*/config.toml")))


TINY = ["--seeds", "1", "--generations", "1", "--population", "16", "--hands", "1000"]
TINY += ["--test-blocks", "2"]


def test_optimizers_that_breed_are_compared(tmp_path, capsys):
    arguments = ["study", "compare", "--preset", "quick", "--variants", "elitist", *TINY]
    arguments += ["--tournaments", "1", "--test-players", "caller", "--out", str(tmp_path)]
    assert main(arguments) == 0
    assert "elitist" in capsys.readouterr().out
    assert (tmp_path / "comparison.csv").exists()


def test_a_report_needs_no_file_of_an_own_optimizer(tmp_path, capsys):
    arguments = ["study", "compare", "--variants", "mutation", "cma-es", *TINY, "--blocks", "2"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    config = tmp_path / "cma-es-1/config.toml"
    config.write_text(config.read_text().replace('kind = "cma-es"', 'kind = "climb.py:Climb"'))
    assert main(["study", "compare", "--only", "report", "--out", str(tmp_path)]) == 0
    assert "climb.py:Climb" in capsys.readouterr().out


def test_every_game_is_described(capsys):
    assert main(["presets"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n  {game} " in shown for game in preset_games())
    assert main(["presets", "six-max-genetic"]) == 0
    assert 'kind = "genetic"' in capsys.readouterr().out
