"""``nlhe acpc dealer``, ``nlhe acpc client`` and ``nlhe acpc slumbot``."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from agents import registry
from agents.acpc import CLIENT, Dealer, MatchResult, competition_game, play_match
from agents.acpc.dealer import seat_names
from agents.acpc.slumbot import play_slumbot
from agents.external.player_lifecycle import close_all, reports_of, take_seats
from agents.policy.compiled_player import Player
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Game

_CLIENT_NAME = "client"


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """Game of a match."""

    starting_stack: Annotated[int, tyro.conf.arg(metavar="CHIPS")] = 20_000
    """Starting stack in chips, the same for every player and hand."""

    blinds: Annotated[str, tyro.conf.arg(metavar="SB/BB")] = "50/100"
    """Small and big blind in chips. Fixed-limit bets are one big blind, and two on the turn and
    river."""

    betting: Literal["no-limit", "fixed-limit"] = "no-limit"
    """Betting structure."""

    def game(self) -> Game:
        """The game of these options."""
        return competition_game(
            starting_stack=self.starting_stack,
            blinds=BlindSchedule.read(self.blinds),
            betting=self.betting,
        )


@dataclass(frozen=True, kw_only=True)
class AcpcDealer(GameOptions):
    """Deal a match by the protocol of the Annual Computer Poker Competition.

    The command prints the ports, waits for the clients and plays. Log lines go to standard output
    or --log, and messages to standard error.
    """

    seats: Annotated[
        tuple[str, ...],
        tyro.conf.Positional,
        tyro.conf.arg(metavar="[[NAME=]PLAYER ...]"),
    ] = ()
    """Players in the 2 to 10 seats: a name that "nlhe players" shows, or "client" for a program
    that connects; default: two clients. NAME= sets the name in the log."""

    hands: Annotated[int, tyro.conf.arg(metavar="N")] = 1000
    """Number of hands in the match."""

    port: Annotated[str, tyro.conf.arg(metavar="N[,N...]")] = "0"
    """One port for all clients, seated in order of connection, or one for each; 0 is any free
    port."""

    host: Annotated[str, tyro.conf.arg(metavar="HOST")] = "127.0.0.1"
    """Address to listen on; 0.0.0.0 admits other machines, without a
    password."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seed of the cards; the same cards with other seats make a duplicate match."""

    log: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """File for the log; default: standard output."""

    def run(self) -> None:
        """Play the match."""
        # Also around the match, since players may not support the game or act illegally.
        with contextlib.ExitStack() as stack:
            given, players = self._seats()
            stack.callback(close_all, players)
            take_seats(players)  # programs report their names here
            names = [name or usual for name, usual in zip(given, seat_names(players), strict=True)]
            ports = self._ports()
            game = self.game()
            log = None if self.log is None else _LogFile(self.log)
            dealer = stack.enter_context(
                Dealer(
                    game,
                    self.hands,
                    players,
                    names=names,
                    seed=self.seed,
                    host=self.host,
                    ports=ports,
                    log=log or sys.stdout,
                    on_warning=_print,
                )
            )
            if log is not None:
                log.open()
                stack.callback(log.close)
            if dealer.ports:
                _print("Waiting for clients on port " + ", ".join(map(str, dealer.ports)))
            result = dealer.play()
        _print(_summary(result, game))
        for report in reports_of(players):
            _print(str(report))

    def _seats(self) -> tuple[list[str | None], list[Player | None]]:
        """Names, if given, and players of all seats."""
        given: list[str | None] = []
        players: list[Player | None] = []
        for text in (*self.seats, *[_CLIENT_NAME] * (2 - len(self.seats))):
            name, what = registry.split_name(text)
            given.append(name)
            players.append(CLIENT if what == _CLIENT_NAME else registry.make(what))
        return given, players

    def _ports(self) -> tuple[int, ...]:
        parts = self.port.split(",")
        if not all(part.isdecimal() for part in parts):
            raise ValueError(
                f"port must be one number, or several separated by commas; got {self.port!r}"
            )
        return tuple(map(int, parts))


@dataclass(frozen=True, kw_only=True)
class AcpcClient(GameOptions):
    """Connect a player to an ACPC dealer.

    The protocol contains the number of players, but neither stacks nor blinds: pass the dealer's
    values.
    """

    host: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="HOST")]
    """Host of the dealer."""

    port: Annotated[int, tyro.conf.Positional, tyro.conf.arg(metavar="PORT")]
    """Port of the dealer."""

    player: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PLAYER")]
    """Player to connect, as "nlhe players" shows it."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seed of the player's own randomness."""

    def run(self) -> None:
        """Play the match."""
        with contextlib.ExitStack() as stack:
            game = self.game()
            player = registry.make(self.player)
            stack.callback(close_all, [player])
            if not 1 <= self.port <= 65_535:
                raise ValueError(f"port must be in 1 .. 65535; got {self.port}")
            session = play_match(
                player,
                self.host,
                self.port,
                game,
                seed=self.seed,
            )
        for report in reports_of([player]):
            _print(str(report))
        print(f"{session.hands} hands, {_amount(session.net, session.hands, game)}")


class _LogFile:
    """File of --log, opened before the match and emptied by the first line.

    Early opening reports errors before clients wait, and late emptying keeps an older log if the
    match never begins.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._has_begun = False

    def open(self) -> None:
        self._file = self._path.open("a")

    def close(self) -> None:
        self._file.close()

    def write(self, text: str) -> None:
        if not self._has_begun and stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._file.truncate(0)
        self._has_begun = True
        self._file.write(text)

    def flush(self) -> None:
        self._file.flush()


def _summary(result: MatchResult, game: Game) -> str:
    """One line for each seat."""
    lines = []
    for seat, name in enumerate(result.names):
        line = f"{name}: {_amount(result.totals[seat], result.hands, game)}"
        if result.seconds[seat]:
            line += f", {result.seconds[seat]:.1f} s to answer"
        if result.changed_actions[seat]:
            line += f", {result.changed_actions[seat]} actions changed"
        lines.append(line)
    return "\n".join(lines)


def _amount(chips: int, hands: int, game: Game) -> str:
    rate = 1000 * chips / game.big_blind / max(hands, 1)
    return f"{chips:+} chips, {rate:+z.1f} thousandths of a big blind a hand"


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


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
        with contextlib.ExitStack() as stack:
            player = registry.make(self.player)
            stack.callback(close_all, [player])
            result = play_slumbot(player, self.hands, seed=self.seed, record=self.out)
        for report in reports_of([player]):
            print(report)
        print(f"{result.hands} hands, {result.net:+d} chips, {result.bb_per_100:+z.1f} bb/100")
