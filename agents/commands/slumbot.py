"""``nlhe acpc slumbot``."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from agents import registry
from agents.acpc.slumbot import play_slumbot
from agents.commands.common import usage_errors
from agents.external.player_lifecycle import close_all, reports_of


@dataclass(frozen=True, kw_only=True)
class Slumbot:
    """Play a match with Slumbot over its public API.

    Heads-up no-limit, blinds 50/100, 20,000 chips.
    """

    player: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PLAYER")]
    """Player, as "nlhe players" shows it."""

    hands: Annotated[int, tyro.conf.arg(metavar="N")] = 100
    """Number of hands."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE.phhs")] = None
    """Hand history file to append to."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seed of the player's own randomness."""

    def run(self) -> None:
        """Play the match."""
        with usage_errors(), contextlib.ExitStack() as stack:
            player = registry.make(self.player)
            stack.callback(close_all, [player])
            result = play_slumbot(player, self.hands, seed=self.seed, record=self.out)
        for report in reports_of([player]):
            print(report)
        print(f"{result.hands} hands, {result.net:+d} chips, {result.bb_per_100:+.1f} bb/100")
