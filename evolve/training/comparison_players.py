"""Players of comparisons: the champions of runs, built-in players, saved players."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

import agents
from agents import registry
from agents.match.style import Style
from evolve.evaluation.behaviour.permutation_importance import (
    SITUATIONS,
    PermutationImportance,
    has_permutation_importance,
    measure_permutation_importance,
    save_importance,
)
from evolve.evaluation.progress import STATIC_PLAYERS
from evolve.training.config import Config
from evolve.training.folder import RunFolder, is_latest
from nlhe_env.system.part_names import check_names
from nlhe_env.system.python_files import read_form

PUBLISHED_FIELD = (*STATIC_PLAYERS, "old-best", "old-scratch", "old-start")
"""Opponents of every published evaluation (Nicolai's thesis, 2008, section 5.1)."""

_CHAMPION_OF = re.compile(r"generation-(\d+)")


def known_field() -> tuple[str, ...]:
    """Published opponents available from ``agents.make``."""
    return tuple(name for name in PUBLISHED_FIELD if name in agents.names())


def missing_field() -> tuple[str, ...]:
    """Published opponents missing from ``agents.make``."""
    return tuple(name for name in PUBLISHED_FIELD if name not in agents.names())


def control_name(sub_population: int, count: int) -> str:
    """Name of the champion of a sub-population.

    >>> control_name(0, 1), control_name(1, 2)
    ('champion', 'champion-2')
    """
    return "champion" if count == 1 else f"champion-{sub_population + 1}"


def control(folder: RunFolder, sub_population: int = 0) -> agents.CompiledPlayer:
    """The best player of the last generation of one sub-population.

    Raises:
        ValueError: No generation is finished, or there is no such sub-population.
    """
    champions = folder.champions(sub_population)
    player: agents.CompiledPlayer = champions.player(len(champions) - 1, name="champion")
    return player


def champion_importance(
    folder: RunFolder, *, count: int = SITUATIONS
) -> PermutationImportance | None:
    """Permutation importance for the champion of a run in its own game; also stored.

    The champion plays at one table with the players of the run's tests, or the published ones.

    Args:
        folder: Folder of a run with a champion.
        count: Number of decisions to examine.

    Returns:
        The importance; None if the champion does not decide by an input vector alone.
    """
    champion = folder.champion()
    if not has_permutation_importance(champion):
        return None
    config = folder.load_config()
    game = config.make_game()
    importance = measure_permutation_importance(
        champion, _opponents_of(config), game=game, count=count
    )
    save_importance(importance, folder.path)
    return importance


def champion_style(folder: RunFolder, *, blocks: int = 20) -> Style:
    """Style of the champion of a run in its own game, at its table of fixed opponents."""
    config, champion = folder.load_config(), folder.champion()
    return agents.measure_style(
        champion, _opponents_of(config), game=config.make_game(), count=blocks
    )


def _opponents_of(config: Config) -> list[agents.CompiledPlayer]:
    """Opponents for measuring a run's players: those of its tests, or the published ones."""
    check_names(config.tested_against, f"the run {config.name}")
    named = (config.tested_against or known_field())[: config.game.table_size - 1]
    return [agents.make_compiled(name) for name in named]


def find_run(text: str) -> RunFolder | None:
    """The run folder named by a text that may also name a player; None for a player.

    Args:
        text: A run folder, ``latest``, ``FOLDER/latest``, a player file (.npz), FILE.py:NAME or a
            built-in player with its options.

    Raises:
        ValueError: The text names neither; the message suggests a player with a similar name.
    """
    text = registry.split_name(text)[1]
    if text.endswith(".npz") or read_form(text) or text.partition(":")[0] in agents.names():
        return None
    path = Path(text)
    near = get_close_matches(text.partition(":")[0], agents.names(), n=1)
    if not is_latest(path) and not path.exists():
        hint = f'did you mean "{near[0]}"?' if near else "nlhe players lists the players"
        raise ValueError(f"{text!r} is neither a player nor a run folder; {hint}")
    return RunFolder.find(path)


def champion_file(run: str) -> Path:
    """Player file of the champion of a run: a run folder, ``latest`` or ``FOLDER/latest``.

    Raises:
        ValueError: There is no such run, or it has no champion yet.
    """
    return RunFolder.find(Path(run)).champion_file()


def player_name(text: str) -> str:
    """Name of the player ``find_player(text)``.

    >>> [player_name(text) for text in ("caller", "runs/one/champion.npz", "a=runs/one")]
    ['caller', 'champion', 'a']
    """
    name, player = registry.split_name(text)
    return name or (Path(player).name if is_run(player) else registry.short_name(player))


def is_run(text: str) -> bool:
    """Whether a text that may name a player is a folder, or a way to say the latest run."""
    return Path(text).is_dir() or is_latest(Path(text))


def find_player(
    text: str, folder: RunFolder | None = None, sub_population: int = 0
) -> agents.CompiledPlayer:
    """A player by name, by the path of its file or run, or as ``generation-K`` of a run.

    Args:
        text: The player, or ``NAME=PLAYER``.
        folder: Run of ``generation-K``.
        sub_population: Its sub-population.

    Raises:
        ValueError: There is no such player, or it is not compiled.
    """
    text = registry.split_name(text)[1]
    champion_of = _CHAMPION_OF.fullmatch(text)
    if champion_of is None:
        return agents.make_compiled(str(champion_file(text)) if is_run(text) else text)
    if folder is None:
        raise ValueError(f"players: {text!r} is a player of a run, but no run is evaluated")
    generations = folder.generations().tolist()
    if int(champion_of[1]) not in generations:
        kept = f"{generations[0]}..{generations[-1]}"
        if generations[-1] - generations[0] >= len(generations):
            kept = ", ".join(map(str, generations))  # some generations are missing
        raise ValueError(f"players: the run has generations {kept}; got {text!r}")
    number = generations.index(int(champion_of[1]))
    player: agents.CompiledPlayer = folder.champions(sub_population).player(number, name=text)
    return player
