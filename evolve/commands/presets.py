"""``python -m evolve presets``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from agents.commands.common import usage_errors
from evolve.commands.report import Reporter
from evolve.training.config_files import SMALL, describe_preset, load_preset, preset_names, to_toml
from evolve.training.search.presets import (
    DEFAULT_OPTIMIZER,
    OPTIMIZERS,
    describe_search_game,
    load_search_preset,
    search_games,
    search_preset_names,
)


@dataclass(frozen=True, kw_only=True)
class Presets:
    """List the presets, or show all values of one, ready for a file of your own."""

    name: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="PRESET")] = None
    """Preset to show; default: list all."""

    def run(self, reporter: Reporter) -> None:
        """Prints."""
        if self.name is not None:
            with usage_errors():
                searched = self.name in search_preset_names()
                load = load_search_preset if searched else load_preset
                reporter.say(to_toml(load(self.name)).rstrip())
            return
        reporter.say("Of the command train:")
        names = preset_names()
        width = max(map(len, names))
        for name in names:
            if not name.endswith(SMALL):
                reporter.say(f"{name:{width}}  {describe_preset(name)}")
        reporter.say(f"Each published one is also there as NAME{SMALL}: minutes on two cores.")
        reporter.say("Of the command optimize:")
        for game in search_games():
            reporter.say(f"{game:{width}}  {describe_search_game(game)}")
        reporter.say(
            f"Each is also there with every optimizer, as in {search_games()[0]}-genetic: "
            f"{', '.join(OPTIMIZERS)}; {DEFAULT_OPTIMIZER} where none is named."
        )
