"""What commands print: a line for every tenth generation or for tests, and who won."""

from dataclasses import fields
from types import SimpleNamespace

import pytest
from rich.console import Console

from evolve.commands import run_reporter
from evolve.commands.common import saved_until_now
from evolve.commands.evaluate import winners
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.commands.train import Train
from evolve.training.candidate_test import Trial
from evolve.training.champion_selection import Choice
from evolve.training.config import CHOICES, Config, ProgressSettings, TrialSettings
from evolve.training.folder import RunFolder


class RecordingReporter(Reporter):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True))
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        ((), "no generation was finished yet"),
        ((1,), "1 finished generation is saved"),
        ((1, 12), "12 finished generations are saved"),
    ],
)
def test_interrupted_training_reports_the_saved_generation(tmp_path, saved, said):
    folder, reporter = RunFolder.create(tmp_path, Config()), RecordingReporter()
    (folder.path / "checkpoints").mkdir(exist_ok=True)
    for generation in saved:
        (folder.path / "checkpoints" / f"{generation:06}.npz").touch()
    with pytest.raises(KeyboardInterrupt), saved_until_now(folder, reporter):
        raise KeyboardInterrupt
    assert reporter.lines == [
        f"Interrupted; {said}. Continue with:\n  nlhe train --resume {folder.path}"
    ]


METRICS = {
    "hands": 1000,
    "generation_hands": 10,
    "best_place": 2.0,
    "best_place_error": 0.1,
    "mean_place": 5.5,
    "players": 10,
}
TESTED = {"test_blocks": 10, "test_players": ("pot-odds",)}


@pytest.mark.parametrize(
    ("values", "every_s", "expected"),
    [
        ({}, None, [2, 10, 20, 25]),
        ({}, 0.0, list(range(1, 26))),
        (TESTED, None, [2]),
        (TESTED, 0.0, list(range(1, 26))),
    ],
)
def test_progress_lines_come_as_often_as_requested(values, every_s, expected):
    reporter = RecordingReporter()
    listener = RunReporter(reporter, every_s=every_s)
    listener.on_start(Config().with_values(generations=25, **values), SimpleNamespace(generation=0))
    for generation in range(1, 26):
        metrics = {**METRICS, "generation": generation}
        listener.on_generation(metrics, {"seconds": 1.0})
    assert [int(line.split()[1].split("/")[0]) for line in reporter.lines] == expected
    assert "  best 2.00 ± 0.20  mean 5.50 of 10" in reporter.lines[0]  # a 95% interval


def test_time_left_includes_all_work_between_generations(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(run_reporter.time, "monotonic", lambda: clock.now)
    reporter = RecordingReporter()
    listener = RunReporter(reporter, every_s=0.0)
    config = Config().with_values(generations=100, hands=10**9)
    listener.on_start(config, SimpleNamespace(generation=0))
    for generation in range(1, 11):
        clock.now += 30.0 if generation > 1 else 300.0  # what must be compiled comes once
        # The games take two seconds of it.
        listener.on_generation({**METRICS, "generation": generation}, {"seconds": 2.0})
    assert "left" not in reporter.lines[0]
    assert reporter.lines[1].endswith("49 min 0 s left")
    assert reporter.lines[-1].endswith("45 min 0 s left")
    assert "5 hands/s" in reporter.lines[-1]
    listener.on_trial(TRIAL)
    assert reporter.lines[-1].endswith("PFR 10%  45 min 0 s left")


CHOICE = Choice(10, 1, scores=(4.0, 3.5), errors=(0.1, 0.1), vpip=(0.2, 0.2), hands=100)
STYLE = {"voluntarily_in_pot": 0.2, "preflop_raise": 0.1, "showdown": None}
TRIAL = Trial(10, 1000, score=3.25, error=0.05, test_hands=100, style=STYLE)


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        (TESTED, 1),
        ({}, 2),  # a test never comes
    ],
)
def test_the_chosen_lineage_is_reported_with_or_without_a_test(values, lines):
    reporter = RecordingReporter()
    listener = RunReporter(reporter)
    listener.on_start(Config().with_values(**values), SimpleNamespace(generation=0))
    listener.on_choice(CHOICE)
    listener.on_trial(TRIAL)
    assert reporter.lines[-1] == (
        "test after generation 10, 1,000 hands: 3.250 ± 0.098 place  VPIP 20%  PFR 10%"
        "  lineage 2 of 2"
    )
    assert (
        reporter.lines[:-1]
        == ["lineage 2 of 2 is ahead: 4.00 3.50 place at tables with all lineages"][: lines - 1]
    )


def _row(player, place, *, evaluated=False, verdict=None):
    row = {"player": player, "mean_place": place, "evaluated": evaluated}
    return row | ({"verdict": verdict} if verdict else {})


def test_the_summary_names_the_winner_and_its_lead():
    champion = _row("champion", 2.5, evaluated=True)
    folder = _row("folder", 2.75, verdict="better")
    assert winners([champion, folder]) == (
        "The champion came first of 2 with a mean place of 2.50, 0.25 places ahead of folder."
    )
    raiser, near = _row("raiser", 7.0, verdict="better"), _row("folder", 2.49, verdict="equal")
    assert winners([near, champion, raiser]) == (
        "folder came first of 3; the champion was in place 2 with a mean place of 2.50, 0.01 "
        "places behind, which may be chance."
    )


def test_no_config_key_has_the_name_of_a_train_flag():
    own = {one.name for one in fields(Train) if one.name != "settings"} - set(CHOICES)
    parts = [part for kinds in CHOICES.values() for part in kinds.values()]
    values = {
        one.name for part in [*parts, TrialSettings, ProgressSettings] for one in fields(part)
    }
    assert not own & values


def test_names_with_brackets_and_colons_are_printed_as_they_are(capsys):
    names = ["[/b]", "[bold]Kim", ":smile:"]
    Reporter().show_table(["player", "hands"], [[name, "1"] for name in names])
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)


def test_control_characters_of_names_are_printed_as_blanks(capsys):
    reporter, name = Reporter(), "\x1b[2JAnn\nBob"
    reporter.show_table(["player", "hands"], [[name, "1"]])
    reporter.say(name)
    printed = capsys.readouterr().out
    assert " [2JAnn Bob" in printed
    assert printed.endswith(" [2JAnn\nBob\n")
    assert "\x1b" not in printed
