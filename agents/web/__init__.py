"""The table in the browser: ``nlhe play``.

The game and its views (the package ``table``) are independent of HTTP; ``server`` wraps them in a
small web application. The server makes all decisions: a page sends requests and shows the state
that it receives.
"""

from __future__ import annotations

from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from agents.web.server import ExtraPage, create_app, serve

__all__ = ["Catalogue", "ExtraPage", "Hub", "create_app", "serve"]
