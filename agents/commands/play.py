"""``nlhe play``: the table in the browser."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from nlhe_env.extras import needs_extra
from nlhe_env.system.command_interrupts import usual_interrupts
from nlhe_env.system.folder_lock import locked

_USUAL_PORT = 8765


@dataclass(frozen=True, kw_only=True)
class PlayCommand:
    """Play in the browser, watch players play, or step through recorded hands.

    The command serves a page on this machine until Ctrl-C. Needs the extra "web".
    """

    players: Annotated[
        tuple[str, ...],
        tyro.conf.Positional,
        tyro.conf.arg(metavar="[PLAYER ...]"),
    ] = ()
    """Players to offer in addition to the built-in ones and the champions of runs: player files
    (.npz), names with options, programs (process:COMMAND), or addresses (http://...)."""

    replay: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Hand history to open: PHH, PokerStars or GGPoker text, or an ACPC log."""

    runs: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("runs")
    """Folder of training runs whose champions are offered."""

    save: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Save people's tables in this folder after every hand; restarting with the same folder and
    port restores them."""

    host: Annotated[str, tyro.conf.arg(metavar="HOST")] = "127.0.0.1"
    """Address to listen on; 0.0.0.0 admits other machines, without a password."""

    port: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Port; default: 8765, or any free port if it is taken."""

    browser: bool = True
    """Open the page in the browser."""

    def run(self) -> None:
        """Serve until interrupted."""
        with contextlib.ExitStack() as held:
            self._serve(held)

    def _serve(self, held: contextlib.ExitStack) -> None:
        with needs_extra("web", "the table in the browser"):
            from agents.web.server import create_app, serve
        from agents.web.addresses import ListenAddress
        from agents.web.catalogue import Catalogue
        from agents.web.hands.replays import Replay
        from agents.web.hub import Hub
        from agents.web.table.saving import TableFolder

        if self.port is not None and not 0 <= self.port <= 65_535:
            raise ValueError(f"port must be in 0 .. 65535; got {self.port}")
        try:
            folder = None if self.save is None else TableFolder(self.save)
            if folder is not None:
                held.enter_context(locked(folder.path))
        except OSError as error:
            raise ValueError(f"--save: {self.save}: {error.strerror}") from None
        hub = Hub(Catalogue(self.players, runs=self.runs), folder=folder)
        fragment = ""
        if self.replay is not None:
            try:
                replay = Replay(_text_of(self.replay), self.replay.name)
            except OSError as error:
                raise ValueError(f"{self.replay}: {error.strerror}") from None
            except ValueError as error:
                raise ValueError(f"{self.replay}: {error}") from None
            fragment = f"#/replay/{hub.keep_replay(replay)}"

        def ready(address: ListenAddress) -> None:
            url = f"{address.local_url}/{fragment}"
            if not address.is_private:
                _print(
                    f"WARNING: listening on {self.host}: anyone who can reach port {address.port} "
                    "of this machine can open tables and play. There is no password."
                )
                if address.network_url:
                    _print(f"Others in your network can join at {address.network_url}/")
            _print(f"The table is open: {url}   (Ctrl-C to stop)")
            if self.browser:
                webbrowser.open(url)

        async def serve_pages() -> None:
            app = create_app(hub, hosts=(self.host,))
            port = _USUAL_PORT if self.port is None else self.port
            await serve(app, self.host, port, ready=ready, or_any=self.port is None)

        with contextlib.suppress(KeyboardInterrupt), usual_interrupts():
            asyncio.run(serve_pages())
        _print("The table is closed.")


def _text_of(file: Path) -> str:
    from nlhe_env.hand_history.streams import open_hands

    with open_hands(file) as lines:
        return lines.read()


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
