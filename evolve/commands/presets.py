"""``python -m evolve presets``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from agents.commands.common import usage_errors
from evolve.commands.report import Reporter
from evolve.optimizers import optimizer_names
from evolve.training.config_files import (
    DEFAULT_OPTIMIZER,
    KEPT,
    REVISED,
    SMALL,
    describe_preset,
    load_preset,
    plain_presets,
    preset_games,
    to_toml,
)


@dataclass(frozen=True, kw_only=True)
class Presets:
    """List the presets, or show all values of one, ready for a file of your own."""

    name: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="[PRESET]")] = None
    """Preset to show; default: list all."""

    def run(self, reporter: Reporter) -> None:
        """Prints."""
        if self.name is not None:
            with usage_errors():
                reporter.say(to_toml(load_preset(self.name)).rstrip())
            return
        names, games = plain_presets(), preset_games()
        width = max(map(len, names))
        for name in [*names, *games]:
            reporter.say(f"{name:{width}}  {describe_preset(name)}")
        reporter.say(f"Each published one is also there as NAME{SMALL}: minutes on two cores.")
        reporter.say(
            f"NAME{REVISED}: impossible actions check or call, raises have the printed sizes; "
            f"NAME{KEPT}: the hall keeps its first ten generations; NAME{REVISED}{KEPT}: both."
        )
        reporter.say(
            f"{', '.join(games)} are also there with every optimizer, as in {games[0]}-genetic: "
            f"{', '.join(optimizer_names())}; {DEFAULT_OPTIMIZER} where none is named."
        )
