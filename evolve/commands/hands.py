"""``nlhe evaluate hands`` and ``nlhe evaluate table``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

import agents
from agents.measure.recorded_hands import (
    AIVAT,
    ALL_IN,
    DIVAT,
    LESS_BASELINE,
    MEASURES,
    MONEY,
    PLACE,
    PlayerResults,
    draw_rankings,
    draw_variance_reduction,
    load_names,
    rank_sessions,
    reduce_variance,
)
from agents.statistics.ranking import rank_table
from agents.variance_reduction.aivat_logs import AivatEvaluator
from evolve.commands.common import draw, read_variance_reduction
from evolve.commands.report import Reporter, show_rankings
from evolve.evaluation.evaluation_files import save_rankings
from nlhe_env.arguments import number, one_of
from nlhe_env.game.table import STREET_NAMES
from nlhe_env.hand_history import stream_files
from nlhe_env.hand_history.errors import NoHandHistoryError


@dataclass(frozen=True, kw_only=True)
class EvaluateHands:
    """Reduce the variance of recorded hands by all-in equity, AIVAT or DIVAT."""

    logs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE ...")]
    """Hand histories, or folders of them: PHH, PokerStars or GGPoker text, or ACPC logs."""

    variance_reduction: Annotated[str, tyro.conf.arg(metavar="METHOD")] = "auto"
    """Method: "none" reports plain money; "all-in" adds all-in equity; "divat" adds DIVAT, for
    heads-up fixed-limit with known hole cards; "divat-roe" is its slower, unbiased variant by
    roll-outs; "aivat" is for any hands with known hole cards, "aivat:value=FILE" with a value
    function fixed before the hands were played; "auto" applies the best methods that the hands
    allow, except "aivat"."""

    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=PLAYER ...")] = ()
    """Players behind names in the hands, as NAME=PLAYER; "aivat" then also removes the randomness
    of their decisions."""

    by: Annotated[str | None, tyro.conf.arg(metavar="UNIT[:names=FILE]")] = None
    """Rank the players by sessions: "event" (of PHH, or the tournament of poker rooms), "file", or
    "tournament", events ranked by place. It shows money, all-in equity and AIVAT side by side;
    "event:names=FILE.csv" joins players with several names, by lines NAME,COMMON NAME."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for a picture of money, DIVAT and luck over the hands, or for the ranking (CSV, JSON
    and a picture)."""

    def run(self, reporter: Reporter) -> None:
        """Evaluates the hands, and prints the tables."""
        problems: list[ValueError] = []
        method, value = read_variance_reduction(self.variance_reduction)
        one_of("variance_reduction", method, tuple(_MEASURES))
        by, names = self._unit()
        wants_aivat = method == "aivat" or (by != "" and method == "auto")
        aivat = self._aivat(value or "equity") if wants_aivat else None
        if self.players and aivat is None:
            raise ValueError("--players needs --variance-reduction aivat")
        players = reduce_variance(
            stream_files(self.logs, file_as_event=by == "file"),
            divat=None if method == "auto" and not by else method.startswith("divat"),
            form="roe" if method == "divat-roe" else "aie",
            aivat=aivat,
            skip_hidden=method != "aivat",
            on_problem=problems.append,
        )
        if not players:
            why = problems[0] if problems else "it contains none"
            raise ValueError(f"{self.logs[0]} has no hand that can be evaluated: {why}")
        self._check_named([player.name for player in players])
        rankings = rank_sessions(players, names, places=by == "tournament") if by else {}
        if problems:
            reporter.say(_skipped(problems))
        if rankings:
            self._show_rankings(rankings, by, reporter)
            _say_left_out(players, reporter)
            return
        show_variance_reduction(players, reporter, measures=_MEASURES[method])
        if aivat is not None:
            reporter.say(f"AIVAT with the value function {aivat.value}, for cards{self._whose()}")
        if self.out is None:
            return
        self.out.mkdir(parents=True, exist_ok=True)
        picture = self.out / f"{self.logs[0].stem}-variance-reduction.png"

        def drawn() -> Path:
            return draw_variance_reduction(players[0], picture)

        again = " ".join(map(str, self.logs))
        draw(drawn, reporter, again=f"evaluate hands {again} --out {self.out}")

    def _unit(self) -> tuple[str, dict[str, str]]:
        """Unit of the ranking, empty without one, and common names by names in the hands."""
        unit, colon, option = (self.by or "").partition(":")
        if self.by is not None:
            one_of("by", unit, ("event", "file", "tournament"))
        file = option.removeprefix("names=")
        if colon and file in ("", option):
            raise ValueError(f"by has the option names alone, {unit}:names=FILE; got {self.by!r}")
        return unit, load_names(Path(file)) if file else {}

    def _show_rankings(
        self, rankings: Mapping[str, agents.Ranking], by: str, reporter: Reporter
    ) -> None:
        shown, unit = rankings, "big blinds won in a session"
        if PLACE in rankings:
            shown, unit = {PLACE: rankings[PLACE]}, "mean place, 1 is the best"
            rest = {measure: one for measure, one in rankings.items() if measure != PLACE}
            show_rankings(rest, reporter, unit="big blinds won in a session", games="sessions")
        show_rankings(shown, reporter, unit=unit, games="sessions")
        if self.out is None:
            reporter.say("No files written; --out FOLDER writes the tables and the picture.")
            return
        written = save_rankings(rankings, self.out)
        reporter.say(f"Written: {', '.join(map(str, written))}")
        picture = self.out / "ranking.png"

        def drawn() -> Path:
            return draw_rankings(shown, picture, unit=unit)

        again = f"evaluate hands {' '.join(map(str, self.logs))} --by {by} --out {self.out}"
        draw(drawn, reporter, again=again)

    def _aivat(self, value: str) -> AivatEvaluator:
        named = [player.partition("=") for player in self.players]
        wrong = [name for name, equals, player in named if not (name and equals and player)]
        if wrong:
            raise ValueError(f"--players must be NAME=PLAYER; got {' '.join(self.players)}")
        known = {name: agents.make(player) for name, _, player in named}
        return AivatEvaluator(agents.Aivat(value=value), known)

    def _check_named(self, names: list[str]) -> None:
        missing = [
            name for name, *_ in (each.partition("=") for each in self.players) if name not in names
        ]
        if missing:
            raise ValueError(
                f"no hand has a player {missing[0]}; players are {', '.join(sorted(names))}"
            )

    def _whose(self) -> str:
        return f" and the dice of {', '.join(self.players)}" if self.players else " alone"


def _skipped(problems: Sequence[ValueError]) -> str:
    files = sum(isinstance(problem, NoHandHistoryError) for problem in problems)
    counts = {"hand": len(problems) - files, "file": files}
    skipped = " and ".join(
        f"{count:,} {noun}{'s' if count > 1 else ''}" for noun, count in counts.items() if count
    )
    return f"skipped {skipped}; the first: {problems[0]}"


_MEASURES: dict[str, tuple[str, ...]] = {
    "auto": MEASURES,
    "none": (MONEY,),
    "all-in": (MONEY, ALL_IN),
    "divat": MEASURES,
    "divat-roe": MEASURES,
    "aivat": (MONEY, ALL_IN, AIVAT),
}
"""Measures to show."""


def show_variance_reduction(
    players: list[PlayerResults], reporter: Reporter, *, measures: Sequence[str] = MEASURES
) -> None:
    """Prints the measures of every player, and DIVAT by street."""
    found = [row for player in players for row in player.rows(measures)]
    rows = [
        [
            f"{row['player']}: {row['measure']}",
            f"{row['hands']:,}",
            f"{row['mean']:+z.4f}",
            *_spread(row),
        ]
        for row in found
    ]
    reporter.show_table(("player", "hands", "bb/hand", "s.e.", "s.d.", "hands needed"), rows)
    reporter.say(
        "bb/hand: big blinds won per hand; s.e.: standard error; s.d.: standard deviation per "
        "hand; hands needed: hands for the same error, as a share of those that raw results need"
    )
    counts = {m: sum(r["hands"] for r in found if r["measure"] == m) for m in measures}
    if counts.get(LESS_BASELINE, 0) < counts.get(DIVAT, 0):
        reporter.say(f"{LESS_BASELINE}: mean of the hands with a complete board, not of all")
    _say_left_out(players, reporter)
    evaluated = [player for player in players if player.streets and DIVAT not in player.left_out]
    if evaluated:
        means = [
            [
                math.fsum(column) / len(player.streets)
                for column in zip(*player.streets, strict=True)
            ]
            for player in evaluated
        ]
        reporter.show_table(
            (DIVAT, *STREET_NAMES),
            [
                [player.name, *(f"{value:+z.4f}" for value in row)]
                for player, row in zip(evaluated, means, strict=True)
            ],
        )


def _say_left_out(players: Sequence[PlayerResults], reporter: Reporter) -> None:
    """Says why measures have no means."""
    for reason in dict.fromkeys(text for player in players for text in player.left_out.values()):
        reporter.say(reason)


def _spread(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Standard error, deviation and share of hands as text; empty for a single hand."""
    if math.isnan(row["deviation"]):
        return "", "", ""
    share = "" if math.isnan(row["hands_needed"]) else f"{row['hands_needed']:.0%}"
    return f"{row['standard_error']:.4f}", f"{row['deviation']:.3f}", share


@dataclass(frozen=True, kw_only=True)
class EvaluateTable:
    """Add intervals to a published table of results, by an assumed standard deviation of a hand."""

    table: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE.csv")]
    """CSV file with the columns name, bb_per_100 and hands, one line per player; a column
    standard_error with the published errors replaces --sd."""

    sd: Annotated[float, tyro.conf.arg(metavar="BB")] = 9.0
    """Standard deviation of a hand in big blinds: 9 for people at six to nine seats, 4 to 15 for
    language models; default: 9."""

    table_size: Annotated[int | None, tyro.conf.arg(metavar="SEATS")] = None
    """Seats of the tables at which the players met; default: they did not meet each other."""

    def run(self, reporter: Reporter) -> None:
        """Prints the ranking."""
        number("sd", self.sd, least=0, above=True)
        ranking = rank_table(self.table, sd=self.sd, table_size=self.table_size)
        show_rankings({"bb/100": ranking}, reporter, unit="big blinds in 100 hands", games="hands")
