"""``nlhe players``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import tyro

from agents import registry
from agents.commands.common import listing, usage_errors
from agents.external.player_factory import MUST_BE_GIVEN

_FORMS = (
    ("FILE.py:NAME", "what a class or function in a file of yours makes"),
    ("process:COMMAND", "a program of yours, in any language; see docs/external-bots.md"),
    (
        "chat:model=NAME,...",
        "a chat model, see docs/chat-models.md; its options: nlhe players chat",
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
            with usage_errors():
                for name in self.players:
                    print(_with_options(name))
            return
        compiled = registry.names(compiled=True)
        limit = registry.names_for_some_games("fixed-limit")
        nolimit = registry.names_for_some_games("no-limit")
        thinking = registry.names_that_think()
        ours = registry.names(plugins=False)
        own = ours[len(compiled) + len(limit) + len(nolimit) + len(thinking) :]
        plugin_players = registry.names()[len(ours) :]
        for title, rows in (
            ("Compiled: they can take part in whole tournaments", _rows(compiled)),
            ("Compiled, for heads-up fixed-limit", _rows(limit)),
            ("Compiled, for heads-up no-limit", _rows(nolimit)),
            ("Compiled, and taking their time", _rows(thinking)),
            ("In Python", _rows(own)),
            ("Of other packages", _rows(plugin_players)),
            ("Yours", _FORMS),
        ):
            if text := listing(title, rows):
                print(text, end="\n\n")
        print("Options, where a player has some: nlhe players PLAYER")


def _rows(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, _line(name)) for name in names]


def _line(name: str) -> str:
    try:
        return registry.describe(name)
    except RuntimeError as error:
        return str(error)


def _with_options(name: str) -> str:
    lines = [f"{name}: {registry.describe(name)}".rstrip(": ")]
    lines += [
        f"  {key}=..., must be given" if value is MUST_BE_GIVEN else f"  {key}={value}"
        for key, value in registry.options(name).items()
    ]
    return "\n".join(lines)
