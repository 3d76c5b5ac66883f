"""Players of a league from their names on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from agents import registry
from agents.policy.compiled_player import Player
from evolve.training.comparison_players import control, control_name
from evolve.training.folder import RunFolder


def find_players(texts: Sequence[str]) -> dict[str, Player]:
    """Players by their names in the league.

    Args:
        texts: ``PLAYER`` or ``NAME=PLAYER`` each. A player is a name or a file for ``agents.make``,
            or a run folder, for the champion of every sub-population.

    Raises:
        ValueError: There is no such player, or two have the same name.
    """
    found: list[tuple[str, str, Player]] = []
    for text in texts:
        own_name, what = registry.split_name(text)
        if Path(what).is_dir():
            folder = RunFolder.open(Path(what))
            count = folder.sub_populations
            base = own_name or folder.path.resolve().name
            for i in range(count):
                name = base + control_name(i, count).removeprefix("champion")
                found.append((name, name, control(folder, i)))
        else:
            short = own_name or registry.short_name(what)
            found.append((short, own_name or what, registry.make(what)))
    # champion.npz of several runs: their paths distinguish them.
    often = Counter(short for short, _, _ in found)
    players: dict[str, Player] = {}
    for short, whole, player in found:
        name = short if often[short] == 1 else whole
        if name in players:
            raise ValueError(
                f"two players are called {name!r}: give one another name, {name}-2={whole}"
            )
        players[name] = player
    return players
