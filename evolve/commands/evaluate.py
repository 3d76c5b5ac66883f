"""``nlhe evaluate``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

import agents
from agents import registry
from agents.match.playing import prepare_game
from agents.match.workers.base import Workers
from agents.match.workers.parsing import parse_workers
from agents.measure.duplicate import (
    MOST_PLAYERS,
    Evaluation,
    EvaluationInterruptedError,
    check_evaluation,
    draw_evaluation,
    evaluate,
)
from evolve import seeds
from evolve.commands.common import WorkersOption, draw
from evolve.commands.report import Reporter
from evolve.compatibility import check_players
from evolve.evaluation.evaluation_files import (
    MeanPlaces,
    file_stem,
    load_places,
    rows_with_changes,
    save_evaluation,
)
from evolve.training.comparison_players import (
    control,
    control_name,
    find_player,
    find_run,
    known_field,
    player_name,
)
from evolve.training.config import CashSettings, Config
from evolve.training.folder import LATEST, RunFolder, is_latest

BLOCKS = 10_000
MOST_BLOCKS = 1_000_000


@dataclass(frozen=True)
class Judged:
    """A player to be evaluated and its opponents.

    Attributes:
        players: All players, the evaluated one first.
        names: Their names.
        stem: Name of the files to write, without ending.
    """

    players: list[agents.CompiledPlayer]
    names: list[str]
    stem: str


@dataclass(frozen=True, kw_only=True)
class Evaluate:
    """Compare the champion of a run, or any player, with others at duplicate tables.

    Ctrl-C stops early and shows the results so far.
    """

    evaluated: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN|PLAYER]")] = str(
        LATEST
    )
    """Player, as "nlhe players" shows it, or a run folder for its champion, one for every
    sub-population; default: the latest run in runs. NAME=PLAYER renames it."""

    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAYER ...")] = ()
    """1 to 9 opponents: players, run folders for their champions, or generation-K for the best
    player of generation K of the run; default: the published field and the first player of the run.
    NAME=PLAYER renames one."""

    blocks: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Duplicate blocks; in each, every player plays the same cards once from every seat; default:
    10000, or at most 1000000 with --standard-error."""

    standard_error: Annotated[float | None, tyro.conf.arg(metavar="PLACES")] = None
    """Continue until the evaluated player's mean place has this standard error."""

    styles: bool = False
    """Show playing styles as well; the files always contain them."""

    baseline: Annotated[Path | None, tyro.conf.arg(metavar="RUN|FILE")] = None
    """Earlier evaluation (run folder, .json or .csv) to compare with; shows the change of every
    place in percent."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seed of cards and decisions; default: the seed of the run, or 1 without a run."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for the results; default: the run folder."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Evaluates, prints the tables and stores them."""
        workers = parse_workers(self.workers)
        folder = find_run(self.evaluated)
        config = folder.load_config() if folder else Config()
        games = self._games(folder)
        for game in games:
            all_players = dict(zip(game.names, game.players, strict=True))
            check_players(all_players, config.compared_in.make(), seats=len(all_players))
        baselines = [self._baseline(game) for game in games]
        seed = config.seed if self.seed is None else self.seed
        if seed < 0:
            raise ValueError(f"seed must not be negative; got {seed}")
        if folder:
            reporter.say(f"Run folder: {folder.path}")
            if isinstance(config.game, CashSettings):
                reporter.say(_at_its_own_game(folder, config.game))
        prepare_game()
        about = {
            "run": folder.path.name if folder else None,
            "experiment": config.name if folder else None,
            "seed": seed,
            "starting_stack": config.compared_in.starting_stack,
            "blinds": config.compared_in.blinds,
        }
        out = self.out or (folder.path if folder else None)
        with workers:
            for game, baseline in zip(games, baselines, strict=True):
                try:
                    evaluation = self._play(game, config, seed, workers, reporter)
                except EvaluationInterruptedError as interrupt:
                    reporter.say("Interrupted; so far:")
                    self._show(
                        interrupt.evaluation, f"{game.stem}-partial", out, about, baseline, reporter
                    )
                    raise
                self._show(evaluation, game.stem, out, about, baseline, reporter)

    def _baseline(self, game: Judged) -> MeanPlaces | None:
        if self.baseline is None:
            return None
        path = RunFolder.find(self.baseline).path if is_latest(self.baseline) else self.baseline
        baseline = load_places(path, game.stem)
        if len(baseline.means) != len(game.names):
            raise ValueError(
                f"the baseline has {len(baseline.means)} players, this evaluation has "
                f"{len(game.names)}: their places cannot be compared"
            )
        return baseline

    def _games(self, folder: RunFolder | None) -> list[Judged]:
        first = (f"generation-{folder.generations()[0]}",) if folder else ()
        opponents = self.players or known_field() + first
        if not self.players:
            opponents = tuple(name for name in opponents if name != self.evaluated)
        limit = BLOCKS if self.blocks is None else self.blocks
        if folder is None:
            names = [player_name(self.evaluated), *map(player_name, opponents)]
            check_evaluation(names, limit, self.standard_error)
            players = [find_player(self.evaluated), *map(find_player, opponents)]
            return [Judged(players, names, file_stem())]
        count = folder.sub_populations
        games = []
        for i in range(count):
            champion = control_name(i, count)
            if own_name := registry.split_name(self.evaluated)[0]:
                champion = own_name + champion.removeprefix("champion")
            names = [champion, *map(player_name, opponents)]
            check_evaluation(names, limit, self.standard_error)
            others = [find_player(text, folder, i) for text in opponents[: MOST_PLAYERS - 1]]
            games.append(Judged([control(folder, i), *others], names, file_stem(i, count)))
        return games

    def _play(
        self,
        game: Judged,
        config: Config,
        seed: int,
        workers: Workers,
        reporter: Reporter,
    ) -> Evaluation:
        default = BLOCKS if self.standard_error is None else MOST_BLOCKS
        blocks = default if self.blocks is None else self.blocks
        with reporter.bar("blocks", blocks):
            return evaluate(
                game.players,
                game.names,
                game=config.compared_in.make(),
                blocks=blocks,
                seed=seeds.stream_seed(seed, seeds.EVALUATION),
                workers=workers,
                standard_error=self.standard_error,
                on_progress=reporter.advance,
            )

    def _show(
        self,
        evaluation: Evaluation,
        stem: str,
        out: Path | None,
        about: Mapping[str, Any],
        baseline: MeanPlaces | None,
        reporter: Reporter,
    ) -> None:
        rows = rows_with_changes(evaluation, baseline)
        reporter.show_evaluation(evaluation, rows)
        if self.styles:
            reporter.show_styles(rows)
        if out is None:
            reporter.say("Not stored; --out FOLDER stores the table and the figure.")
            return
        written = save_evaluation(evaluation, out, stem=stem, about=about, baseline=baseline)
        names = ", ".join(file.name for file in written[1:])
        reporter.say(f"Written: {written[0]}, {names}")

        def picture() -> Path:
            title = f"{about['run'] or evaluation.evaluated}: {evaluation.blocks:,} blocks"
            return draw_evaluation(rows, out / f"{stem}.png", title=title)

        draw(picture, reporter, again=f"evaluate {self.evaluated}")
        reporter.say(winners(rows))


def _at_its_own_game(folder: RunFolder, game: CashSettings) -> str:
    """Advice for runs trained on cash games, which differ from the tournaments played here."""
    options = f"--starting-stack {game.starting_stack} --num-hands {game.num_hands}"
    if game.blinds != CashSettings.blinds:
        options += f" --blinds {game.blinds}"
    if game.betting != "no-limit":
        options += f" --betting {game.betting}"
    if game.table_size > 2:
        options += f" --format table --table-size {game.table_size}"
    path = shlex.quote(str(folder.path))
    return (
        "NOTE: this run was trained in cash games, but is compared in tournaments here. For its "
        f"own game:\n  nlhe league {path} caller tight-aggressive {options}"
    )


def winners(rows: Sequence[Mapping[str, Any]]) -> str:
    """Sentence about the winner, and the evaluated player's lead or deficit.

    Args:
        rows: Rows of an evaluation, best first.
    """
    places = [row["mean_place"] for row in rows]
    mine = next(i for i, row in enumerate(rows) if row["evaluated"])
    other = rows[1] if mine == 0 else rows[0]
    ahead = f"{abs(places[mine] - other['mean_place']):.2f} places"
    certain = "" if other.get("verdict") in ("better", "worse") else ", which may be chance"
    mean = f"with a mean place of {places[mine]:.2f}"
    if mine == 0:
        return (
            f"The {rows[0]['player']} came first of {len(rows)} {mean}, {ahead} ahead of "
            f"{other['player']}{certain}."
        )
    return (
        f"{other['player']} came first of {len(rows)}; the {rows[mine]['player']} was in place "
        f"{mine + 1} {mean}, {ahead} behind{certain}."
    )
