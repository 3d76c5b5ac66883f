"""``nlhe evaluate metagame``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro

from agents.match.playing import prepare_game
from agents.match.workers.base import Workers
from agents.match.workers.parsing import parse_workers
from agents.measure.leagues.league_matches import LeagueSettings
from evolve.commands.common import WorkersOption, draw
from evolve.commands.report import Reporter
from evolve.compatibility import check_batch
from evolve.evaluation.metagame import (
    MetaGame,
    draw_meta_games,
    measure_heads_up,
    save_meta_games,
)
from evolve.evaluation.progress import play_tournaments
from evolve.genomes.base import Genomes
from evolve.training.config import Config
from evolve.training.folder import LATEST, RunFolder

MetaGameKind = Literal["tournament", "cash", "field"]
_UNITS = {
    "tournament": "share of tournaments won minus lost",
    "cash": "big blinds per 100 hands",
    "field": "share of tournaments ahead minus behind",
}


@dataclass(frozen=True, kw_only=True)
class MetaGameCommand:
    """Compare the champions of a run in pairs, and find cycles among them.

    The champions are from all generations, or the tested players of a run with a numeric optimizer.
    Sub-populations have separate meta-games.
    """

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN]")] = LATEST
    """Run folder, or FOLDER/latest for the latest run in a folder; default: the latest in runs."""

    champions: Annotated[int, tyro.conf.arg(metavar="N")] = 20
    """Number of champions, evenly spread over the generations; 0 for all."""

    rounds: Annotated[int, tyro.conf.arg(metavar="N")] = 500
    """Duplicate tables per pair (the same cards twice, with exchanged seats), or tournaments of the
    field."""

    game: MetaGameKind = "tournament"
    """Heads-up tournaments; heads-up cash games, with stacks reset before every hand; or "field":
    tournaments of all these champions together, as in the run (the published tournaments for a
    cash-game run)."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Plays, prints what the meta-game says and stores it."""
        workers = parse_workers(self.workers)
        folder = RunFolder.find(self.run_folder)
        config = folder.load_config()
        seed = config.seed
        settings = self._settings(seed)
        champions = [folder.champions(i) for i in range(folder.sub_populations)]
        if len(champions[0]) < 2:
            raise ValueError("a meta-game needs a run of at least 2 generations")
        game, seats = config.compared_in.make(), config.compared_in.table_size
        if settings is not None:
            game, seats = settings.make_game(), 2
        check_batch("the champion", champions[0].pack(), game, seats=seats)
        reporter.say(f"Run folder: {folder.path}")
        prepare_game()
        unit = _UNITS[self.game]
        games: list[MetaGame] = []
        with workers:
            for i, networks in enumerate(champions):
                if settings is None:
                    found = self._in_field(networks, i, config, seed, workers, reporter)
                else:
                    found = self._heads_up(networks, settings, workers, reporter)
                # Champions are counted from 1; a search has champions of some generations only.
                kept = folder.generations()[np.array(found.names, np.int64) - 1]
                found = replace(found, names=tuple(map(str, kept.tolist())))
                games.append(found)
                if len(champions) > 1:
                    reporter.say(f"sub-population {i + 1}:")
                for line in found.describe(unit):
                    reporter.say(line)
        played = {"mode": "field", "seed": seed} if settings is None else settings.as_dict()
        file = save_meta_games(games, folder.path, played=played, unit=unit)
        reporter.say(f"Written: {file}")

        def picture() -> Path:
            path = folder.path
            return draw_meta_games(games, path / "metagame.png", unit=unit, title=path.name)

        draw(picture, reporter, again=f"evaluate metagame {folder.path}")

    def _settings(self, seed: int) -> LeagueSettings | None:
        """Settings of heads-up play; ``None`` for the field.

        Raises:
            ValueError: An option is outside its range.
        """
        if self.rounds < 2:
            raise ValueError(f"rounds must be at least 2; got {self.rounds}")
        if self.champions == 1 or self.champions < 0:
            raise ValueError(f"champions must be at least 2, or 0 for all; got {self.champions}")
        if self.game == "field":
            return None
        return LeagueSettings.of(mode=self.game, format="heads-up", seed=seed)

    def _in_field(
        self,
        champions: Genomes,
        sub_population: int,
        config: Config,
        seed: int,
        workers: Workers,
        reporter: Reporter,
    ) -> MetaGame:
        with reporter.bar("rounds", self.rounds):
            generations, tally = play_tournaments(
                champions.pack(),
                config.compared_in.make(),
                seed=seed,
                tournaments=self.rounds,
                workers=workers,
                sub_population=sub_population,
                most=self.champions,
                on_progress=reporter.advance,
            )
        return MetaGame.of_tournaments(generations, tally)

    def _heads_up(
        self, champions: Genomes, settings: LeagueSettings, workers: Workers, reporter: Reporter
    ) -> MetaGame:
        players = min(len(champions), self.champions or len(champions))
        with reporter.bar("rounds", players * (players - 1) // 2 * self.rounds):
            return measure_heads_up(
                champions.pack(),
                settings,
                rounds=self.rounds,
                workers=workers,
                most=self.champions,
                on_progress=reporter.advance,
            )
