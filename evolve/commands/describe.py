"""``python -m evolve describe``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

import agents
from agents.commands.common import usage_errors
from agents.compiled.players import CompiledPlayer
from agents.play.style import MEASURES
from evolve.commands.common import draw
from evolve.commands.report import Reporter
from evolve.evaluation.sight import SITUATIONS, Sight, has_sight, measure_sight
from evolve.evaluation.sight_files import save_sight
from evolve.training.admission import check_players
from evolve.training.contestants import (
    control,
    control_name,
    find_player,
    find_run,
    known_field,
    player_name,
)
from evolve.training.folder import LATEST, RunFolder
from evolve.workers import prepare_game
from nlhe_env import Game
from nlhe_env.arguments import LARGEST_SEED, whole_number

_STYLE_BLOCKS = 100


@dataclass(frozen=True, kw_only=True)
class Describe:
    """Show what a player sees and how it plays.

    Which inputs move its decisions, how many of its units are saturated; VPIP and other styles.
    """

    player: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN|PLAYER]")] = str(
        LATEST
    )
    """A run folder, whose champions are described, a player file (.npz) or a built-in player;
    default: the latest run."""

    opponents: tuple[str, ...] = ()
    """Its opponents, 1 to 9 players; default: the published field."""

    situations: Annotated[int, tyro.conf.arg(metavar="N")] = SITUATIONS
    """Number of the player's decisions to examine."""

    seed: int = 1
    """Seed of cards, decisions and exchanges."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Where sight.json and sight.png are written; default: the run folder, none for a player."""

    runs: Path = Path("runs")
    """Folder that contains the run folders."""

    def run(self, reporter: Reporter) -> None:
        """Measures, prints and stores."""
        with usage_errors():
            folder = find_run(self.player, self.runs)
            game = folder.load_config().compared_in.make() if folder else Game.tournament()
            named = self.opponents or known_field()
            opponents = [find_player(name) for name in named]
            if not 1 <= len(opponents) <= 9:
                raise ValueError(f"opponents must be 1 to 9 players; got {len(opponents)}")
            whole_number("situations", self.situations, least=2)
            whole_number("seed", self.seed, least=0, most=LARGEST_SEED)
            described = self._described(folder)
            everybody = dict(zip(named, opponents, strict=True)) | described
            check_players(everybody, game, seats=1 + len(opponents))
        prepare_game()
        out = self.out or (folder.path if folder else None)
        for name, player in described.items():
            stem = "sight" if name == "champion" else f"sight-{name}"
            reporter.say(f"{name}: {player.kind.name} {_traits(player)}".rstrip())
            sight = None
            if has_sight(player):
                options = {"seed": self.seed, "count": self.situations}
                sight = measure_sight(player, opponents, game=game, **options)
                show_sight(sight, reporter)
            else:
                reporter.say(
                    "It does not decide by an input vector alone, so there is no sight to measure."
                )
            show_style(player, opponents, game, self.seed, reporter)
            if out is not None and sight is not None:
                store_sight(sight, out, name, reporter, stem=stem)

    def _described(self, folder: RunFolder | None) -> dict[str, CompiledPlayer]:
        if folder is None:
            return {player_name(self.player): agents.make_compiled(self.player)}
        count = folder.sub_populations
        return {control_name(i, count): control(folder, i) for i in range(count)}


def _traits(player: CompiledPlayer) -> str:
    """What kind of network it is."""
    if not isinstance(player, agents.NetworkPlayer):
        return ""
    shape = "-".join(map(str, player.hidden))
    readings = ", ".join(f"{key} {value}" for key, value in player.readings.as_dict().items())
    return f"of {shape} hidden units, inputs {player.inputs}, {readings}".replace("_", " ")


def show_sight(sight: Sight, reporter: Reporter) -> None:
    """Prints what a player sees."""
    rows = [[name, f"{moved:.3f}"] for name, moved in sight.moves.items()]
    reporter.show_table(("input", "moves its choice by"), rows)
    reporter.say(
        f"total variation, 0 to 1, between the chances of its actions in {sight.situations:,} of "
        "its decisions and those with this input from another of them"
    )
    show_verdict(sight, reporter)


def show_verdict(sight: Sight, reporter: Reporter) -> None:
    """Prints the sight of a player in a line or two."""
    if sight.saturated is not None:
        reporter.say(
            f"Saturated hidden units: {sight.saturated:.0%}; median net input "
            f"{sight.net_input:.3g}."
        )
    if sight.verdict():
        reporter.say(sight.verdict())


def show_style(
    player: CompiledPlayer,
    opponents: list[CompiledPlayer],
    game: Game,
    seed: int,
    reporter: Reporter,
) -> None:
    """Prints the style of a player among opponents."""
    style = agents.measure_style(player, opponents, game=game, seed=seed, count=_STYLE_BLOCKS)
    values = style.as_dict()
    shown = (f"{name.replace('_', ' ')} {_short(values[name])}" for name in MEASURES)
    reporter.say(f"Style among {len(opponents)} opponents: {', '.join(shown)}")


def store_sight(
    sight: Sight, folder: Path, name: str, reporter: Reporter, *, stem: str = "sight"
) -> None:
    """Writes the sight of a player, and draws it if Matplotlib is there."""
    folder.mkdir(parents=True, exist_ok=True)
    save_sight(sight, folder, stem=stem)

    def picture() -> Path:
        from evolve.evaluation.sight_files import draw_sight

        return draw_sight(sight, folder / f"{stem}.png", title=name)

    draw(picture, reporter, again=f"describe {folder}")


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
