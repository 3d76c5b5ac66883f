"""``nlhe presets``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from agents.commands.common import listing
from evolve.commands.report import Reporter
from evolve.optimizers import optimizer_names
from evolve.training.config_files import (
    DEFAULT_OPTIMIZER,
    KEPT,
    REVISED,
    SMALL,
    UNIFORM,
    WORST_FIRST,
    describe_preset,
    load_preset,
    plain_presets,
    preset_games,
    preset_names,
    to_toml,
)


@dataclass(frozen=True, kw_only=True)
class Presets:
    """List the presets by name, or show all values of some.

    The values are a TOML file: save and change them, and start from the file with "nlhe train
    --preset FILE.toml".
    """

    presets: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[PRESET ...]")
    ] = ()
    """Presets to show with their values; default: list all."""

    def run(self, reporter: Reporter) -> None:
        """Prints the list."""
        if self.presets:
            for name in self.presets:
                reporter.say(to_toml(load_preset(name)).rstrip())
            return
        plain, games = plain_presets(), preset_games()
        published = [name for name in plain if name + SMALL in preset_names()]
        for title, names in (
            ("Published experiments", published),
            ("Further experiments", [name for name in plain if name not in published]),
            ("Games, for any numeric optimizer", games),
        ):
            rows = [(name, describe_preset(name)) for name in names]
            reporter.say(listing(title, rows) + "\n")
        reporter.say(
            f"Each published preset also exists as NAME{SMALL}, which takes minutes on two cores."
        )
        reporter.say(
            f"NAME{REVISED}: illegal actions count as a check or call, raises have the published "
            f"sizes; NAME{KEPT}: the hall keeps its first ten generations; NAME{UNIFORM}: it has "
            f"equally many elites of every generation; NAME{WORST_FIRST}: it drops its worst "
            f"member first. NAME{REVISED}{KEPT}, for example, is both."
        )
        reporter.say(
            f"Game presets also exist with every optimizer, as in {games[0]}-genetic: "
            f"{', '.join(optimizer_names())}; the default is {DEFAULT_OPTIMIZER}."
        )
        reporter.say("All values of a preset: nlhe presets PRESET")
