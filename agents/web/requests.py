"""Parts of every request: the tables of the server, the session, and the body."""

from __future__ import annotations

import asyncio
import re

from aiohttp import web

from agents.web.hub import Hub

HUB = web.AppKey("hub", Hub)
SESSION = re.compile(r"[A-Za-z0-9_-]{43}")
_UPLOAD_S = 60.0


def cookie_of(request: web.Request) -> str:
    """Name of the session cookie."""
    return f"nlhe-table-{request.url.port}"  # cookies do not distinguish ports


def session_of(request: web.Request) -> str:
    """Session of a request.

    Raises:
        ValueError: The request lacks the cookie set by the first page.
    """
    session = request.cookies.get(cookie_of(request), "")
    if not SESSION.fullmatch(session):
        raise ValueError("open the first page of this server first")
    return session


async def body_of(request: web.Request) -> bytes:
    """Body of a request, if it arrives in time."""
    async with asyncio.timeout(_UPLOAD_S):
        return await request.read()
