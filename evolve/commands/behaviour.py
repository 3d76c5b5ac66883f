"""``nlhe evaluate behaviour``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

import agents
from agents.match.playing import prepare_game
from agents.match.style import STYLE_STATS
from agents.policy.compiled_player import CompiledPlayer
from evolve.commands.common import draw
from evolve.commands.report import Reporter
from evolve.compatibility import check_players
from evolve.evaluation.behaviour.permutation_importance import (
    SITUATIONS,
    PermutationImportance,
    draw_importance,
    has_permutation_importance,
    measure_permutation_importance,
    save_importance,
)
from evolve.training.comparison_players import (
    control,
    control_name,
    find_player,
    find_run,
    known_field,
    player_name,
)
from evolve.training.folder import LATEST, RunFolder
from nlhe_env import Game
from nlhe_env.arguments import LARGEST_SEED, whole_number

_STYLE_BLOCKS = 100


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """Show a player's input importance and playing style.

    The output has the effect of each input on decisions, the share of saturated units, and VPIP and
    other style statistics.
    """

    player: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN|PLAYER]")] = str(
        LATEST
    )
    """Player, as "nlhe players" shows it, or a run folder for its champion, one for every
    sub-population; default: the latest run in runs."""

    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAYER ...")] = ()
    """1 to 9 opponents; default: the published field."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed of cards, decisions and permutations."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for permutation_importance.json and its picture; default: the run folder, or none for
    a player."""

    def run(self, reporter: Reporter) -> None:
        """Measures, prints and stores."""
        folder = find_run(self.player)
        game = folder.load_config().compared_in.make() if folder else Game.tournament()
        named = self.players or known_field()
        opponents = [find_player(name) for name in named]
        if not 1 <= len(opponents) <= 9:
            raise ValueError(f"players must be 1 to 9 opponents; got {len(opponents)}")
        whole_number("seed", self.seed, least=0, most=LARGEST_SEED)
        described = self._described(folder)
        all_players = dict(zip(named, opponents, strict=True)) | described
        check_players(all_players, game, seats=1 + len(opponents))
        prepare_game()
        out = self.out or (folder.path if folder else None)
        for name, player in described.items():
            stem = "permutation_importance"
            if name != "champion":
                stem += f"-{name}"
            reporter.say(f"{name}: {player.kind.name} {_traits(player)}".rstrip())
            importance = None
            if has_permutation_importance(player):
                importance = measure_permutation_importance(
                    player, opponents, game=game, seed=self.seed, count=SITUATIONS
                )
                show_importance(importance, reporter)
            else:
                reporter.say(
                    "It does not decide on an input vector alone, so input importance cannot be "
                    "measured."
                )
            show_style(player, opponents, game, self.seed, reporter)
            if out is not None and importance is not None:
                store_importance(importance, out, name, reporter, stem=stem)

    def _described(self, folder: RunFolder | None) -> dict[str, CompiledPlayer]:
        if folder is None:
            return {player_name(self.player): agents.make_compiled(self.player)}
        count = folder.sub_populations
        return {control_name(i, count): control(folder, i) for i in range(count)}


def _traits(player: CompiledPlayer) -> str:
    """Description of the kind of network."""
    if not isinstance(player, agents.NetworkPlayer):
        return ""
    shape = "-".join(map(str, player.hidden))
    interpretation = ", ".join(
        f"{key} {value}" for key, value in player.interpretation.as_dict().items()
    )
    return f"of {shape} hidden units, inputs {player.inputs}, {interpretation}".replace("_", " ")


def show_importance(importance: PermutationImportance, reporter: Reporter) -> None:
    """Print the input importance of a player."""
    rows = [[name, f"{moved:.3f}"] for name, moved in importance.moves.items()]
    reporter.show_table(("input", "moves its choice by"), rows)
    reporter.say(
        f"total variation, 0 to 1, between its action probabilities in {importance.situations:,} "
        "decisions and those with this input from another decision"
    )
    show_comparison(importance, reporter)


def show_comparison(importance: PermutationImportance, reporter: Reporter) -> None:
    """Prints the permutation importance for a player in a line or two."""
    if importance.saturated is not None:
        reporter.say(
            f"Saturated hidden units: {importance.saturated:.0%}; median net input "
            f"{importance.net_input:.3g}."
        )
    if importance.conclusion():
        reporter.say(importance.conclusion())


def show_style(
    player: CompiledPlayer,
    opponents: list[CompiledPlayer],
    game: Game,
    seed: int,
    reporter: Reporter,
) -> None:
    """Prints the style of a player against opponents."""
    style = agents.measure_style(player, opponents, game=game, seed=seed, count=_STYLE_BLOCKS)
    values = style.as_dict()
    shown = (f"{name.replace('_', ' ')} {_short(values[name])}" for name in STYLE_STATS)
    reporter.say(f"Style among {len(opponents)} opponents: {', '.join(shown)}")


def store_importance(
    importance: PermutationImportance,
    folder: Path,
    name: str,
    reporter: Reporter,
    *,
    stem: str = "permutation_importance",
) -> None:
    """Writes the permutation importance for a player, and draws it if Matplotlib is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    save_importance(importance, folder, stem=stem)

    def picture() -> Path:
        return draw_importance(importance, folder / f"{stem}.png", title=name)

    draw(picture, reporter, again=f"evaluate behaviour {folder}")


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
