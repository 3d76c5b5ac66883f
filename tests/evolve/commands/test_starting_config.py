"""What ``train`` and ``compare`` start from: presets, files and runs, and flags that name kinds."""

import pytest
from training_runs import evolve

from evolve.commands.common import starting_config
from evolve.training.config import CHOICES, Config
from evolve.training.config_files import ConfigDraft, load_preset


@pytest.mark.parametrize(
    ("section", "kind"),
    [
        ("game", "cash"),
        ("genomes", "teams"),
        ("optimizer", "cma-es"),
        ("opponents", "pool"),
        ("schedule", "blocks"),
        ("fitness", "sharing"),
        ("optimizer", "cma"),
    ],
)
def test_a_resumed_run_keeps_its_parts(tiny_run, capsys, section, kind):
    before = tiny_run.load_config()
    assert evolve("train", "--resume", str(tiny_run.path), f"--{section}", kind) == 2
    own = before.values()[section]
    assert f"{section} is {own!r} in the run and {kind!r} now" in capsys.readouterr().err
    assert tiny_run.load_config() == before


def test_a_resumed_run_accepts_its_own_parts(tiny_run):
    config = starting_config(
        ["train", "--resume", str(tiny_run.path), "--optimizer", "elitist", "--game", "tournament"]
    )
    assert config == tiny_run.load_config()


@pytest.mark.parametrize(
    ("flags", "values"),
    [
        (
            "--preset large-hof --schedule blocks --opponents self-play --card-sensitivity-gate 0 "
            "--game cash --elites 2 --population 4",
            {
                "schedule": "blocks",
                "opponents": "self-play",
                "card_sensitivity_gate": 0.0,
                "game": "cash",
            },
        ),
        (
            "--preset six-max --fitness normalised --table-size 2 --racing-rounds 0",
            {"fitness": "normalised", "table_size": 2, "optimizer": "cma-es"},
        ),
        (
            "--preset large-hof --optimizer cma-es --game cash --opponents pool --schedule blocks "
            "--named folder caller",
            {"optimizer": "cma-es", "named": ("folder", "caller")},
        ),
    ],
)
def test_kinds_and_their_values_are_checked_together(monkeypatch, flags, values):
    made = []
    monkeypatch.setattr(
        "evolve.commands.train.Train.run", lambda self, _: made.append(self.settings)
    )
    assert evolve("train", *flags.split()) == 0
    assert values.items() <= made[0].values().items()
    assert type(made[0]) is Config
    assert made[0].name.startswith(flags.split()[1])


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--preset six-max --fitness normalised", 'fitness "normalised" needs schedule "blocks"'),
        ("--preset large-hof --schedule blocks", 'opponents "hall" are ranked with the'),
        ("--preset quick --game cash", 'schedule "tournaments" needs game "tournament"'),
        ("--preset quick --optimizer adam", "optimizer 'adam' does not exist"),
        ("--preset heads-up --optimizer adam", "optimizer 'adam' does not exist"),
        ("--preset heads-up --optimizer elitist", "preset 'heads-up' is for numeric optimizers"),
        ("--preset heads-up --optimizer elitist", "'elitist' breeds"),
    ],
)
def test_incompatible_kinds_are_refused(tmp_path, monkeypatch, capsys, flags, message):
    monkeypatch.chdir(tmp_path)
    assert evolve("train", *flags.split()) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "runs").exists()


def test_a_file_may_start_from_kinds(tmp_path):
    (tmp_path / "mine.toml").write_text('extends = "six-max"\n')
    arguments = ["train", "--preset", str(tmp_path / "mine.toml"), "--fitness", "normalised"]
    config = starting_config(arguments)
    assert config.values()["fitness"] == "normalised"
    with pytest.raises(ValueError, match='fitness "normalised" needs'):
        ConfigDraft.of(config).checked()


def test_scale_applies_after_kinds_and_before_flags():
    config = starting_config(["train", "--preset", "large-hof", "--scale", "0.1", "--game", "cash"])
    assert (config.optimizer.population, config.opponents.hall_of_fame) == (100, 100)
    assert config.values()["game"] == "cash"


def test_compare_starts_from_its_first_optimizer():
    optimizers = ["--variants", "genetic", "cma-es"]
    config = starting_config(["study", "compare", *optimizers, "--hands", "5"])
    assert config == load_preset("heads-up", "genetic")


@pytest.mark.parametrize("section", CHOICES)
def test_the_help_names_every_kind(capsys, section):
    assert evolve("train", "--help") == 0
    said = capsys.readouterr().out.replace("│", " ")
    helped = " ".join(said.split()).split(f"--{section} KIND")[1].split("--")[0]
    kinds = {  # without those that other tests register
        kind: part
        for kind, part in CHOICES[section].items()
        if getattr(part, "optimizer", part).__module__.startswith("evolve.")
    }
    assert [kind for kind in kinds if f'"{kind}"' not in helped] == []
