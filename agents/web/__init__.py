"""The table in the browser: ``nlhe play``.

The game and everything that a page may see of it (the package ``table``) know nothing of
HTTP; ``server`` puts them behind a small web application. The server decides everything: a page
sends requests and shows the state that it is sent.
"""

from __future__ import annotations

from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from agents.web.server import ExtraPage, create_app, serve

__all__ = ["Catalogue", "ExtraPage", "Hub", "create_app", "serve"]
