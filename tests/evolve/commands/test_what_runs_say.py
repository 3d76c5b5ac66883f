"""What commands print: a line for every tenth generation or for tests, and who won."""

from __future__ import annotations

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


class Told(Reporter):
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
def test_an_interrupted_training_says_how_much_is_saved(tmp_path, saved, said):
    folder, told = RunFolder.create(tmp_path, Config()), Told()
    (folder.path / "checkpoints").mkdir(exist_ok=True)
    for generation in saved:
        (folder.path / "checkpoints" / f"{generation:06}.npz").touch()
    with pytest.raises(KeyboardInterrupt), saved_until_now(folder, told):
        raise KeyboardInterrupt
    assert told.lines == [
        f"Interrupted; {said}. Go on with:\n  python -m evolve train --resume {folder.path}"
    ]


METRICS = {
    "hands": 1000,
    "generation_hands": 10,
    "best_place": 2.0,
    "best_place_error": None,
    "mean_place": 5.5,
    "players": 10,
}
TESTED = {"test_blocks": 10, "test_players": ("pot-odds",)}


@pytest.mark.parametrize(
    ("values", "verbose", "expected"),
    [
        ({}, False, [2, 10, 20, 25]),
        ({}, True, list(range(1, 26))),
        (TESTED, False, [2]),
        (TESTED, True, list(range(1, 26))),
    ],
)
def test_a_line_for_the_second_and_every_tenth_generation_or_for_each_or_for_tests(
    values, verbose, expected
):
    told = Told()
    listener = RunReporter(told, verbose=verbose)
    listener.on_start(Config().with_values(generations=25, **values), SimpleNamespace(generation=0))
    for generation in range(1, 26):
        metrics = {**METRICS, "generation": generation}
        listener.on_generation(metrics, {"seconds": 1.0})
    assert [int(line.split()[1].split("/")[0]) for line in told.lines] == expected


def test_time_left_counts_everything_between_generations(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(run_reporter.time, "monotonic", lambda: clock.now)
    told = Told()
    listener = RunReporter(told, verbose=True)
    config = Config().with_values(generations=100, hands=10**9)
    listener.on_start(config, SimpleNamespace(generation=0))
    for generation in range(1, 11):
        clock.now += 30.0 if generation > 1 else 300.0  # what must be compiled comes once
        # The games take two seconds of it.
        listener.on_generation({**METRICS, "generation": generation}, {"seconds": 2.0})
    assert "left" not in told.lines[0]
    assert told.lines[1].endswith("49 min 0 s left")
    assert told.lines[-1].endswith("45 min 0 s left")
    assert "5 hands/s" in told.lines[-1]
    listener.on_trial(TRIAL)
    assert told.lines[-1].endswith("PFR 10%  45 min 0 s left")


CHOICE = Choice(10, 1, scores=(4.0, 3.5), errors=(0.1, 0.1), vpip=(0.2, 0.2), hands=100)
STYLE = {"voluntarily_in_pot": 0.2, "preflop_raise": 0.1, "showdown": None}
TRIAL = Trial(10, 1000, score=3.25, error=0.05, test_hands=100, style=STYLE)


@pytest.mark.parametrize(
    ("values", "verbose", "lines"),
    [
        (TESTED, False, 1),
        (TESTED, True, 2),
        ({}, False, 2),  # a test never comes
    ],
)
def test_the_chosen_lineage_is_told_with_the_test_or_for_itself(values, verbose, lines):
    told = Told()
    listener = RunReporter(told, verbose=verbose)
    listener.on_start(Config().with_values(**values), SimpleNamespace(generation=0))
    listener.on_choice(CHOICE)
    listener.on_trial(TRIAL)
    assert told.lines[-1] == (
        "test after generation 10, 1,000 hands: 3.250 ± 0.050 place  VPIP 20%  PFR 10%"
        "  lineage 2 of 2"
    )
    assert (
        told.lines[:-1]
        == ["lineage 2 of 2 is ahead: 4.00 3.50 place at tables of them all"][: lines - 1]
    )


def _row(player, place, *, judged=False, verdict=None):
    row = {"player": player, "mean_place": place, "judged": judged}
    return row | ({"verdict": verdict} if verdict else {})


def test_the_sentence_says_who_came_first_and_by_how_much():
    champion = _row("champion", 2.5, judged=True)
    folder = _row("folder", 2.75, verdict="better")
    assert winners([champion, folder]) == (
        "The champion came first of 2 with a mean place of 2.50, 0.25 places ahead of folder."
    )
    raiser, near = _row("raiser", 7.0, verdict="better"), _row("folder", 2.49, verdict="equal")
    assert winners([near, champion, raiser]) == (
        "folder came first of 3; the champion came number 2 with a mean place of 2.50, 0.01 places "
        "behind, which may be chance."
    )


def test_no_value_of_a_configuration_has_the_name_of_a_flag_of_train():
    own = {one.name for one in fields(Train) if one.name != "settings"} - set(CHOICES)
    parts = [part for kinds in CHOICES.values() for part in kinds.values()]
    values = {
        one.name for part in [*parts, TrialSettings, ProgressSettings] for one in fields(part)
    }
    assert not own & values
