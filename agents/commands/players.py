"""``nlhe players``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated

import tyro

from agents import registry
from agents.commands.common import listing
from agents.external.player_factory import MUST_BE_GIVEN
from agents.player_records import PLAYERS, find_record
from agents.rooms import PlayerRecord
from nlhe_env.arguments import shown

_GROUPS: tuple[tuple[str, Callable[[PlayerRecord], bool]], ...] = (
    ("Compiled, for cash games and tournaments", lambda one: one.plays_whole_tournaments),
    ("Compiled, for heads-up fixed-limit", lambda one: one.betting == "fixed-limit"),
    ("Compiled, for heads-up no-limit", lambda one: one.betting == "no-limit"),
    ("Compiled, but slow", lambda one: one.speed == "slow"),
    ("In Python", lambda one: True),
)
"""Titles of the list, and which of the players that are left stand under them."""
_FORMS = (
    ("FILE.py:NAME", "a player that a class or function in your own file makes"),
    ("process:COMMAND", "your own program, in any language; see docs/external-bots.md"),
    (
        "http://HOST:PORT/PATH",
        "your own agent at an address; see docs/external-bots.md; options: nlhe players http",
    ),
    (
        "chat:model=NAME,...",
        "a chat model; see docs/chat-models.md; options: nlhe players chat",
    ),
    ("FILE.npz", "a saved player, such as the champion of a run"),
)


@dataclass(frozen=True, kw_only=True)
class ListPlayers:
    """List the players by name, or show the options of some."""

    players: Annotated[
        tuple[str, ...],
        tyro.conf.Positional,
        tyro.conf.arg(metavar="[PLAYER ...]"),
    ] = ()
    """Players to show with their options, by name or FILE.py:NAME; default: list all."""

    def run(self) -> None:
        """Print the list."""
        if self.players:
            for name in self.players:
                print(_with_options(name))
            return
        named = dict(PLAYERS)
        for title, belongs in _GROUPS:
            group = [name for name, record in named.items() if belongs(record)]
            print(listing(title, _rows(group)), end="\n\n")
            named = {name: record for name, record in named.items() if name not in group}
        plugin_players = [name for name in registry.names() if name not in PLAYERS]
        for title, rows in (("Of other packages", _rows(plugin_players)), ("Your own", _FORMS)):
            if text := listing(title, rows):
                print(text, end="\n\n")
        print("Options and ratings of a player: nlhe players PLAYER")


def _rows(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, _line(name)) for name in names]


def _line(name: str) -> str:
    try:
        return registry.describe(name)
    except RuntimeError as error:
        return str(error)


def _with_options(name: str) -> str:
    if name.startswith("process:") or name.endswith(".npz"):
        raise ValueError(
            f"only players by name or FILE.py:NAME have options to show; got {shown(name)}"
        )
    lines = [f"{name}: {registry.describe(name)}".rstrip(": ")]
    record = find_record(name.partition(":")[0])
    lines += [] if record is None else [f"  {record.traits}"]
    lines += [
        f"  {key}=..., must be given" if value is MUST_BE_GIVEN else f"  {key}={value}"
        for key, value in registry.given_options(name).items()
    ]
    return "\n".join(lines + _ratings(name))


def _ratings(name: str) -> list[str]:
    from agents.measure.bench.rating import measured_ratings
    from agents.measure.bench.suites import SUITES

    rated = {suite: measured_ratings(each).get(name) for suite, each in SUITES.items()}
    found = [f"{suite} {each.value:.0f}" for suite, each in rated.items() if each is not None]
    return [f"  rated by the bench: {', '.join(found)}"] if found else []
