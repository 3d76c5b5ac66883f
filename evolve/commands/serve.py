"""``nlhe serve``."""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import tyro

from evolve.commands.report import Reporter
from evolve.training.folder import LATEST, RunFolder, is_latest
from nlhe_env.extras import needs_extra
from nlhe_env.system.command_interrupts import usual_interrupts

_USUAL_PORT = 8766


@dataclass(frozen=True, kw_only=True)
class Serve:
    """Show running and finished runs in the browser.

    The command serves a page on this machine until Ctrl-C and never changes a run. Needs the extra
    "web".
    """

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="[RUN]")] = LATEST
    """Run folder, a folder of runs, or "latest"; default: the latest run."""

    host: Annotated[str, tyro.conf.arg(metavar="HOST")] = "127.0.0.1"
    """Address to listen on; 0.0.0.0 admits other machines, without a password."""

    port: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Port; default: 8766, or any free port if it is taken."""

    browser: bool = True
    """Open the page in the browser."""

    def run(self, reporter: Reporter) -> None:
        """Serves until interrupted."""
        with needs_extra("web", "the page"):
            from agents.web.server import create_app, serve
        from agents.web.addresses import ListenAddress
        from agents.web.catalogue import Catalogue
        from agents.web.hub import Hub
        from evolve.dashboard.pages import PATH, runs_page
        from evolve.dashboard.root import Champions, Root

        if self.port is not None and not 0 <= self.port <= 65_535:
            raise ValueError(f"port must be in 0 .. 65535; got {self.port}")
        folder, chosen = self._choose()
        root = Root(folder)
        hub = Hub(Catalogue(runs=None if root.single else root.path, more=Champions(root)))

        def ready(address: ListenAddress) -> None:
            url = f"{address.local_url}{PATH}{f'#/run/{quote(chosen)}' if chosen else ''}"
            if not address.is_private:
                reporter.say(
                    f"WARNING: listening on {self.host}: anyone who can reach port {address.port} "
                    "of this machine can watch the runs and open tables. There is no password."
                )
                if address.network_url:
                    reporter.say(f"Others in your network can watch at {address.network_url}{PATH}")
            reporter.say(f"Watch at {url}   (Ctrl-C to stop)")
            if self.browser:
                webbrowser.open(url)

        async def serve_pages() -> None:
            app = create_app(hub, extra_pages=(runs_page(root),), hosts=(self.host,))
            port = _USUAL_PORT if self.port is None else self.port
            await serve(app, self.host, port, ready=ready, or_any=self.port is None)

        with contextlib.suppress(KeyboardInterrupt), usual_interrupts():
            asyncio.run(serve_pages())
        reporter.say("Stopped; the run is unchanged.")

    def _choose(self) -> tuple[Path, str]:
        """The folder to serve, and the run to show first, if one is chosen.

        Raises:
            ValueError: There is no such folder.
        """
        if is_latest(self.run_folder):
            run = RunFolder.find(self.run_folder)
            return run.path.parent, run.path.name
        if not self.run_folder.is_dir():
            raise ValueError(f"{self.run_folder} is neither a run folder nor a folder of runs")
        if (self.run_folder / "config.toml").is_file():
            return self.run_folder, self.run_folder.resolve().name
        return self.run_folder, ""
