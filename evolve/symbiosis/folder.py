"""A run on disk: settings, lines of metrics, the last state, and the resulting teams.

==================  ==============================================================================
``settings.json``   the settings
``metrics.jsonl``   a line a generation; equal runs have equal bytes
``state.npz``       where it stands, with the lines so far: written at validations, at the end, and
                    on Ctrl-C
``champion.npz``    the best team of the last validation, a player file of ``agents``
==================  ==============================================================================

The state is written last and decides: a run that goes on makes the other files what they were then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents.matches import MatchLibrary
from evolve.files import safe as files
from evolve.files.lock import locked
from evolve.files.names import part, prefixed
from evolve.symbiosis import teams
from evolve.symbiosis.novelty_archive import NoveltyArchive
from evolve.symbiosis.point_population import Points
from evolve.symbiosis.run import Symbiosis
from evolve.symbiosis.settings import SymbiosisSettings
from evolve.symbiosis.teams import LimitTeams
from evolve.workers import Workers
from nlhe_env.jit.array_types import AnyArray
from nlhe_env.jit.interrupts import interrupts_wait

_SETTINGS, _METRICS, _STATE, _CHAMPION = (
    "settings.json",
    "metrics.jsonl",
    "state.npz",
    "champion.npz",
)


def train_teams(
    path: Path,
    settings: SymbiosisSettings,
    library: MatchLibrary,
    *,
    workers: Workers,
    on_generation: Callable[[Mapping[str, Any]], None] = lambda _: None,
    say: Callable[[str], None] = print,
) -> Symbiosis:
    """Runs what is left of a run; an interrupted one has the same result.

    Args:
        path: Its folder, new or of an earlier call.
        settings: Settings of the run.
        library: Whose matches are played.
        workers: Threads that play; their number does not change the result.
        on_generation: Called with every line of metrics.
        say: Called with a message about a line of metrics that was damaged and has been mended.

    Raises:
        DamagedFileError: The state is damaged.
        ValueError: The folder holds a run of other settings.
    """
    path.mkdir(parents=True, exist_ok=True)
    with locked(path):
        run = _open(path, settings, library, say)
        saved = run.generation
        try:
            while not run.is_over:
                line = run.step(library, workers)
                with interrupts_wait():
                    files.append_line(path / _METRICS, line)
                    if "champion" in line:
                        _save(path, run)
                        saved = run.generation
                on_generation(line)
        except KeyboardInterrupt:
            if saved != run.generation and len(files.read_lines(path / _METRICS)) == run.generation:
                with interrupts_wait():
                    _save(path, run)
            raise
    return run


def load_run(path: Path) -> Symbiosis:
    """A run as it was saved last.

    Raises:
        ValueError: There is none.
    """
    if not (path / _STATE).is_file():
        raise ValueError(f"{path} holds no run of symbiotic evolution that has been saved")
    settings = SymbiosisSettings.from_json(files.read_json(path / _SETTINGS))
    return _from_arrays(settings, files.read_arrays(path / _STATE))


def _open(
    path: Path, settings: SymbiosisSettings, library: MatchLibrary, say: Callable[[str], None]
) -> Symbiosis:
    if (path / _SETTINGS).is_file():
        earlier = SymbiosisSettings.from_json(files.read_json(path / _SETTINGS))
        if earlier != settings:
            raise ValueError(f"{path} holds a run of other settings: {earlier}")
    if not (path / _STATE).is_file():
        run = Symbiosis.begin(settings, library)  # or an error, before settings bind the folder
        files.write_json(path / _SETTINGS, settings.to_json())
        (path / _METRICS).unlink(missing_ok=True)
        return run
    arrays = files.read_arrays(path / _STATE)
    run = _from_arrays(settings, arrays)
    files.mend_lines(path / _METRICS, arrays["metrics"], say=say)
    _save_champion(path, run)
    return run


def _save(path: Path, run: Symbiosis) -> None:
    """Writes the champion, and the state last: it decides where the run goes on."""
    _save_champion(path, run)
    metrics = files.lines_so_far(path / _METRICS)
    files.write_arrays(path / _STATE, _to_arrays(run) | {"metrics": metrics})


def _save_champion(path: Path, run: Symbiosis) -> None:
    if run.champion is None:
        return
    origin = {
        "experiment": f"symbiosis {run.settings.model}",
        "seed": run.settings.seed,
        "generation": run.generation,
    }
    agents.save_player(path / _CHAMPION, run.champion.table_player("champion", origin))


def _to_arrays(run: Symbiosis) -> dict[str, AnyArray]:
    champion = [] if run.champion is None else [run.champion]
    archive = [teams.Individual((), letters=text) for text in run.archive.texts]
    return {
        "generation": np.array(run.generation),
        "hands": np.array(run.hands),
        "points": run.points.matches,
        "oldest_point": np.array(run.points.oldest),
        "sample": run.sample,
        "hall_distances": run.hall_distances,
        "archive_distances": run.archive.distances,
        **prefixed("teams", teams.to_arrays(run.teams)),
        **prefixed("hall", teams.to_arrays(run.hall)),
        **prefixed("champion", teams.to_arrays(champion)),
        **prefixed("archive", teams.to_arrays(archive)),
        **prefixed("below", LimitTeams(run.below).to_arrays()),
    }


def _from_arrays(settings: SymbiosisSettings, arrays: Mapping[str, AnyArray]) -> Symbiosis:
    below = LimitTeams().with_arrays(part("below", arrays)).teams
    champion = teams.from_arrays(part("champion", arrays), below)
    archive = teams.from_arrays(part("archive", arrays))
    return Symbiosis(
        settings,
        Points(arrays["points"], settings.slots, int(arrays["oldest_point"])),
        teams.from_arrays(part("teams", arrays), below),
        teams.from_arrays(part("hall", arrays), below),
        arrays["hall_distances"],
        NoveltyArchive([each.letters for each in archive], arrays["archive_distances"]),
        arrays["sample"],
        int(arrays["generation"]),
        int(arrays["hands"]),
        champion[0] if champion else None,
        below,
    )
