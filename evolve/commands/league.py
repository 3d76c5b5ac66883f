"""``nlhe league``."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.progress import BarColumn, Progress, TextColumn
from tyro.conf import OmitArgPrefixes

import agents
from agents import registry
from agents.external.player_lifecycle import close_all, reports_of
from agents.external.process.bot_player import BotPlayer
from agents.match.planning import load_arena
from agents.match.playing import prepare_game
from agents.match.workers.base import Workers
from agents.match.workers.parsing import parse_workers
from agents.measure.leagues.league import (
    confidence_sequences,
    fingerprint,
    play_league,
    play_until_resolved,
    rounds_for,
    unresolved_pairs,
)
from agents.measure.leagues.league_matches import LeagueSettings
from agents.measure.leagues.league_store import LeagueStore
from agents.measure.leagues.league_table import LeagueTable, draw_league
from agents.players.rules import static
from agents.policy.compiled_player import Player
from agents.statistics.estimates import Interval
from agents.statistics.ranking import rank_means
from evolve.commands.common import WorkersOption, draw, read_variance_reduction
from evolve.commands.report import Reporter, show_rankings, small
from evolve.evaluation.evaluation_files import save_league
from evolve.files.safe import write_whole
from evolve.training.comparison_players import control, control_name
from evolve.training.folder import RunFolder
from nlhe_env.game.table import MIN_SEATS
from nlhe_env.system.command_help import given_options

HANDS = 100_000
TOURNAMENTS = 2_000
_NO_ARENA: dict[str, Any] = {"hands": 1_000, "game": {}}
"""Default of a plan."""
_DIFFERENCES = (5, 10, 20)
"""Differences of two players in a plan by formula, in big blinds per 100 hands."""
_NAMED = 3
"""Maximum number of unresolved pairs to name."""
_MOST_PAIRS = 15
"""Number of pairs up to which all are printed."""
_FIRST_LINE_S = 10.0
"""Seconds until the first line without a terminal; each later pause is twice as long."""
_LONGEST_PAUSE_S = 600.0
_REDRAW_S = 0.5

_Advance = Callable[[int, int], None]
"""Called with the games and the hands played since the last call."""


GivenSettings: Any = given_options(
    LeagueSettings,
    leave_out=("variance_reduction", "value", "value_hash"),
    mode="Cash games, with stacks reset before every hand, or tournaments; default: cash.",
    format="Play every pair separately, or all players together at tables; default: heads-up in "
    "cash games, table in tournaments.",
    table_size="Seats per table, 2 to 10; with more players, tables are drawn; default: 10.",
    starting_stack="Starting stack in chips; default: 100 big blinds, or 1000 chips in "
    "tournaments.",
    blinds="Blinds of cash games in chips: SB/BB, or SB/BB/ANTE; default: 50/100.",
    seed="Seed of cards, seats and decisions; default: 1.",
)


@dataclass(frozen=True, kw_only=True)
class League:
    """Rate players by duplicate cash games or tournaments, in pairs or at tables.

    Ctrl-C stops early and shows the results so far; with a store, the next call continues.
    """

    players: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[PLAYER ...]")
    ] = ()
    """At least two players, as "nlhe players" shows them, or run folders for their champions.
    NAME=PLAYER renames one. Without players, the results in the store are shown."""

    games: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Total number of cash-game hands, or of tournaments, including those in the store; default:
    100000 hands or 2000 tournaments. Every match gets the same number, rounded up."""

    settings: Annotated[OmitArgPrefixes[GivenSettings], tyro.conf.arg(name="match")] = field(
        default_factory=GivenSettings
    )

    variance_reduction: Annotated[str | None, tyro.conf.arg(metavar="METHOD")] = None
    """Variance reduction for cash games: "all-in" pays the expectation of pots whose betting is
    over; "divat", or the unbiased "divat-roe", is for heads-up fixed-limit; "aivat" is for any cash
    game, "aivat:value=FILE" with a value function fixed before the league; default: none. The table
    shows plain results as well."""

    store: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """SQLite file for the results; later calls play only missing matches."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for the tables (CSV) and the picture."""

    until_sure: bool = False
    """Stop as soon as the better player of every pair is known, by intervals that are valid at any
    stopping time; --games is the upper limit."""

    plan: Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="[ARENA ...]")] = None
    """Play no league, but print what one can show: half-widths of intervals, the probability that
    the best player comes first, and the hands needed for 95%. They come from a simulation of the
    players at one table, or from --sd; ARENA adds the format of a known arena."""

    sd: Annotated[float | None, tyro.conf.arg(metavar="BB")] = None
    """Standard deviation of a hand in big blinds, for --plan: 9 for people at six to nine seats, 4
    to 15 for language models; default: that of the players."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Plays what is missing, prints the tables and writes the files."""
        workers = parse_workers(self.workers)
        players = find_players(self.players)
        if self.sd is not None and self.plan is None:
            raise ValueError("--sd is for --plan: leave it out, or add --plan")
        if self.plan is not None:
            with ExitStack() as stack, workers:
                stack.callback(close_all, players.values())
                self._plan(players, workers, reporter)
            return
        if not players and (self.store is None or not self.store.exists()):
            raise ValueError("a league needs players, or a --store with results")
        store = LeagueStore.open(self.store, lambda stored: self._settings(stored, players))
        with ExitStack() as stack:
            stack.enter_context(store)
            stack.enter_context(workers)
            stack.callback(close_all, players.values())
            names = list(players) or self._stored_names(store)
            if players:
                try:
                    self._play(players, store, workers, reporter)
                except (KeyboardInterrupt, RuntimeError) as stop:
                    table = LeagueTable.of(names, store)
                    if isinstance(stop, KeyboardInterrupt) or table.hands:
                        word = "Interrupted" if isinstance(stop, KeyboardInterrupt) else "Stopped"
                        kept = " and is stored" if self.store else ""
                        reporter.say(f"{word}; this much is finished{kept}:")
                        self._show(table, players, reporter)
                    else:
                        for text in bot_reports(players):
                            reporter.say(text)
                    raise
            table = LeagueTable.of(names, store)
            sure = {}
            if self.until_sure:
                sure = confidence_sequences(table, games=self._games(store.settings))
            self._show(table, players, reporter, sure)

    def _plan(self, players: Mapping[str, Player], workers: Workers, reporter: Reporter) -> None:
        """Prints what the given game, or those of arenas, can tell."""
        if not players and self.sd is None:
            raise ValueError("a plan needs players to simulate, or --sd for a formula")
        method: Any = None
        if self.variance_reduction is not None:
            name, value = read_variance_reduction(self.variance_reduction)
            method = agents.Aivat(value=value, known=()) if value else name
        usual = {"format": "table", "table_size": max(len(players), MIN_SEATS)}
        given = {key: one for key, one in vars(self.settings).items() if one is not None}
        for arena in [load_arena(name) for name in self.plan or ()] or [_NO_ARENA]:
            reporter.say(f"{arena['about']} ({arena['source']})" if "about" in arena else "Plan:")
            settings = LeagueSettings.of(**{**usual, **arena["game"], **given})
            games = self.games or arena["hands"]
            if self.sd is not None:
                rankings = {
                    f"{apart} bb/100 apart": rank_means(
                        ["better", "other"],
                        [apart, 0.0],
                        [games] * 2,
                        sd=self.sd,
                        table_size=settings.table_size,
                    )
                    for apart in _DIFFERENCES
                }
            else:
                found = agents.plan(
                    players,
                    settings.make_game(),
                    max(1, games // (settings.num_hands if settings.cash else 1)),
                    method=method,
                    seed=settings.seed,
                    workers=workers,
                )
                rankings = dict(found.rankings)
                known = [
                    f"{name} ± {found.simulated.interval(i)[1] - found.simulated.means[i]:.2f}"
                    for i, name in enumerate(players)
                ]
                reporter.say(f"True means as simulated, with 95% intervals: {', '.join(known)}")
            unit, noun = ("bb/100", "hands") if settings.cash else ("places", "tournaments")
            show_rankings(rankings, reporter, unit=f"true {unit}", games=noun)

    def _settings(
        self, stored: LeagueSettings | None, players: Mapping[str, Player]
    ) -> LeagueSettings:
        """Settings of the games, checked together with players and number of games."""
        given = dict(vars(self.settings))
        if self.variance_reduction is not None:
            method, value = read_variance_reduction(self.variance_reduction)
            given |= {"variance_reduction": method, "value": value}
        settings = LeagueSettings.of(stored, **given)
        games = self._games(settings)
        if players:
            rounds_for(list(players), settings, games)
            settings.load_variance_reduction()  # refuses a wrong file before the matches
        return settings

    def _play(
        self,
        players: Mapping[str, Player],
        store: LeagueStore,
        workers: Workers,
        reporter: Reporter,
    ) -> None:
        games = self._games(store.settings)
        total = sum(
            match.games * len(gap)
            for match, count in rounds_for(list(players), store.settings, games).items()
            for gap in store.missing(match, count)
        )
        if not total:
            store.admit({name: fingerprint(player) for name, player in players.items()})
            reporter.say("Nothing to play: the store already has the requested games.")
            return
        _prepare(store.settings)
        start, before = time.perf_counter(), LeagueTable.of(list(players), store).hands
        unit = "hands" if store.settings.cash else "tournaments"
        with _shown_progress(reporter, unit, total, players) as advance:
            play = play_until_resolved if self.until_sure else play_league
            play(players, store, games=games, workers=workers, on_progress=advance)
        seconds = time.perf_counter() - start
        hands = LeagueTable.of(list(players), store).hands - before
        reporter.say(f"{hands:,} hands in {seconds:.1f} s, {hands / seconds:,.0f} hands/s")

    def _games(self, settings: LeagueSettings) -> int:
        usual = HANDS if settings.cash else TOURNAMENTS
        return usual if self.games is None else self.games

    def _stored_names(self, store: LeagueStore) -> list[str]:
        names = store.names() if store.settings.format == "heads-up" else store.last_field()
        if len(names) < 2:
            raise ValueError(f"{self.store} has no results yet: name the players")
        return names

    def _show(
        self,
        table: LeagueTable,
        players: Mapping[str, Player],
        reporter: Reporter,
        sure: Mapping[tuple[str, str], Interval] | None = None,
    ) -> None:
        show_league(table, reporter)
        if sure:
            show_resolved(table, sure, reporter)
        bots = bot_reports(players)
        for text in bots:
            reporter.say(text)
        if self.out is None:
            reporter.say("No files written; --out FOLDER writes the tables and the picture.")
            return
        out = self.out
        written = save_league(table, out, sure)
        if bots:
            written.append(out / "bots.txt")
            write_whole(written[-1], ("\n".join(bots) + "\n").encode())
        reporter.say(f"Written: {', '.join(map(str, written))}")
        again = f"league --store {self.store} --out {out}" if self.store else "league ..."
        draw(lambda: draw_league(table, out / "league.png"), reporter, again=again)


def bot_reports(players: Mapping[str, Player]) -> list[str]:
    """Reports so far on programs and chat models, by their names in the league."""
    return [
        str(replace(report, name=name))
        for name, player in players.items()
        for report in reports_of([player])
        if report != type(report)(report.name)
    ]


def _prepare(settings: LeagueSettings) -> None:
    """Loads the strength tables and compiles the game, outside the timing."""
    prepare_game()
    if settings.cash:
        pair = [static.caller(), static.folder()]
        agents.play(pair, agents.Blocks(1), settings.make_game(), seed=0)


def show_league(table: LeagueTable, reporter: Reporter) -> None:
    """Prints the players, best first, and the matrix of all pairs if it fits."""
    settings = table.settings
    cash, heads_up = settings.cash, settings.format == "heads-up"
    seats = min(settings.table_size, len(table.names))
    how = "heads-up, every pair" if heads_up else f"tables of {seats}"
    depth = settings.starting_stack / settings.make_game().big_blind
    length = f", {depth:g} bb deep" if cash else ""
    reporter.say(
        f"{settings.mode} league, {how}{length}: {len(table.names)} players, {table.hands:,} hands"
    )
    if settings.rake:
        reporter.say(
            f"rake {settings.rake}: {table.rake:,} chips, {table.rake_bb_per_100:.1f} bb per 100 "
            "hands of a table, lost by the players together"
        )
    score, digits = ("bb/100", 1) if cash else ("place", 3)
    rows = []
    for row in table.rows():
        value = row["bb_per_100" if cash else "mean_place"]
        p = row.get("ahead_of_next_p_holm", math.nan)
        rows.append(
            [
                f"{row['rank']:2} {row['player']}",
                f"{row['hands' if cash else 'tournaments']:,}",
                _number(value, digits, signed=cash),
                _number(value - row["low"], digits),
                *_money(row),
                "" if math.isnan(row["first"]) else f"{row['first']:.0%}",
                f"{row['rating']:.0f}",
                "" if math.isnan(p) else small(p),
            ]
        )
    money = ("money", "±", "hands needed") if table.plain else ()
    games = "hands" if cash else "tournaments"
    headings = ("player", games, score, "±", *money, "first", "rating", "p to next")
    reporter.show_table(headings, rows)
    matrix = [
        [f"{rank + 1:2} {table.names[i]}"]
        + [
            _number(table.pair(i, j).difference, 0 if cash else 2, signed=cash or not heads_up)
            for j in table.order
        ]
        for rank, i in enumerate(table.order)
    ]
    widths = [max(map(len, column)) + 3 for column in zip(*matrix, strict=True)]
    if sum(widths) <= reporter.console.width:
        reporter.show_table((score, *(str(k + 1) for k in range(len(matrix)))), matrix)
    else:
        reporter.say("The matrix of all pairs is too wide to show; --out FOLDER writes it.")
    meaning = "bb/100: big blinds won per 100 hands" if cash else "place: mean place, 1 is best"
    meaning += (
        ". Upper table: mean over all opponents; lower table: row against column"
        if heads_up
        else ". Lower table: mean place of the row minus that of the column"
    )
    if table.plain is not None:
        meaning += (
            f", variance reduced by {_luck_of(settings)}; money: raw results of the same hands, ± "
            "as before; hands needed: share of hands for the same interval"
        )
    reporter.say(
        f"{meaning}; ±: half-width of its 95% interval; first: chance to be the best, given "
        "these results; rating: Bradley-Terry on the Elo scale from the duplicate tables won; p to "
        "next: t-test against the next player, Holm-corrected over all pairs"
    )


def show_resolved(
    table: LeagueTable, sure: Mapping[tuple[str, str], Interval], reporter: Reporter
) -> None:
    """Prints the confidence sequences of the pairs, valid at any number of looks."""
    cash = table.settings.cash
    digits = 1 if cash else 3
    if len(sure) <= _MOST_PAIRS:
        rows = []
        for pair, (low, high) in sure.items():
            first, second = (table.names.index(name) for name in pair)
            value = _number(table.pair(first, second).difference, digits, signed=cash)
            bounds = " .. ".join(
                _number(table.middle + bound, digits, signed=cash) for bound in (low, high)
            )
            rows.append([" against ".join(pair), value, bounds if math.isfinite(low) else ""])
        score = "bb/100" if cash else "place"
        reporter.show_table(("pair", score, "anytime-valid interval"), rows)
    unsure = unresolved_pairs(sure)
    if not unsure:
        reporter.say(f"The better player is known in all {len(sure)} pairs, jointly at 95%.")
        return
    named = ", ".join(f"{first} and {second}" for first, second in unsure[:_NAMED])
    more = "" if len(unsure) <= _NAMED else f" and {len(unsure) - _NAMED} more"
    reporter.say(
        f"The better player is not yet known in {len(unsure)} of {len(sure)} pairs: {named}{more}."
    )


def _money(row: Mapping[str, Any]) -> list[str]:
    """The unreduced score and the share of hands needed, with variance reduction."""
    if "plain_bb_per_100" not in row:
        return []
    return [
        _number(row["plain_bb_per_100"], 1, signed=True),
        _number(row["plain_bb_per_100"] - row["plain_low"], 1),
        "" if math.isnan(row["hands_needed"]) else f"{row['hands_needed']:.0%}",
    ]


def _luck_of(settings: LeagueSettings) -> str:
    if settings.value == "equity":
        return f'"{settings.variance_reduction}"'
    return f'"{settings.variance_reduction}", values of {settings.value} ({settings.value_hash})'


def _number(value: float, digits: int, *, signed: bool = False) -> str:
    """A number as text; empty if unknown."""
    return "" if math.isnan(value) else f"{value:{'+' if signed else ''}z.{digits}f}"


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
            # The name seeds the cards: a replay from a log must have the same one.
            whole = own_name or registry.name_of_play(what)
            found.append((short, whole, registry.make(what)))
    # champion.npz of several runs: their paths distinguish them.
    often = Counter(short for short, _, _ in found)
    players: dict[str, Player] = {}
    for short, whole, player in found:
        name = short if often[short] == 1 else whole
        if name in players:
            raise ValueError(
                f"two players are called {name!r}: give one another name, NAME={whole}"
            )
        players[name] = player
    return players


class _LeagueProgress:
    """Number of games played in a league, including unfinished games of programs.

    Args:
        unit: ``"hands"`` or ``"tournaments"``.
        total: Total number of units.
        players: Players by name; programs among them are watched while they play.
    """

    def __init__(self, unit: str, total: int, players: Mapping[str, Player]) -> None:
        self._unit, self._total = unit, total
        self._bots = {
            name: player for name, player in players.items() if isinstance(player, BotPlayer)
        }
        self._start_s = time.perf_counter()
        self._finished = self._hands = 0
        self._before = self._games_of_bots()

    def advance(self, games: int, hands: int) -> None:
        """Adds finished games."""
        self._finished += games
        self._hands += hands
        self._before = self._games_of_bots()

    @property
    def done(self) -> int:
        """Games played."""
        games = self._games_of_bots()
        under_way = max((games[name] - self._before[name] for name in games), default=0)
        return min(self._finished + under_way, self._total)

    def __str__(self) -> str:
        elapsed_s, done = time.perf_counter() - self._start_s, self.done
        parts = [f"{done:,} of {self._total:,} {self._unit}"]
        if self._hands:
            parts.append(f"{self._hands / max(elapsed_s, 1e-9):,.0f} hands/s")
        if done:
            parts.append(f"about {_in_words(elapsed_s * (self._total - done) / done)} left")
        parts += [
            f"waiting for {name} ({1000 * report.seconds / report.decisions:,.0f} ms a decision)"
            for name, bot in self._bots.items()
            if bot.is_asked and (report := bot.report).decisions
        ]
        return ", ".join(parts)

    def _games_of_bots(self) -> dict[str, int]:
        by_hands = self._unit == "hands"
        reports = {name: bot.report for name, bot in self._bots.items()}
        return {
            name: report.hands if by_hands else report.episodes for name, report in reports.items()
        }


def _in_words(seconds: float) -> str:
    """An approximate waiting time as text.

    >>> _in_words(3.2), _in_words(200), _in_words(20_000)
    ('3 s', '3 min', '5.6 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@contextmanager
def _shown_progress(
    reporter: Reporter, unit: str, total: int, players: Mapping[str, Player]
) -> Iterator[_Advance]:
    """Shows progress within the block: a bar on a terminal, occasional lines elsewhere."""
    progress = _LeagueProgress(unit, total, players)
    show = _in_a_bar if reporter.console.is_terminal else _in_lines
    ended = threading.Event()
    thread = threading.Thread(target=show, args=(reporter, progress, total, ended), daemon=True)
    thread.start()
    try:
        yield progress.advance
    finally:
        ended.set()
        thread.join()


def _in_a_bar(
    reporter: Reporter, progress: _LeagueProgress, total: int, ended: threading.Event
) -> None:
    columns = (BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=reporter.console, transient=True) as bar:
        task = bar.add_task(str(progress), total=total)
        while not ended.wait(_REDRAW_S):
            bar.update(task, completed=progress.done, description=str(progress))


def _in_lines(
    reporter: Reporter, progress: _LeagueProgress, total: int, ended: threading.Event
) -> None:
    pause_s = _FIRST_LINE_S
    while not ended.wait(pause_s):
        reporter.say(str(progress))
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
