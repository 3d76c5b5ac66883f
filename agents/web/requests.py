"""What every request brings along: the tables of the server, who asks, and the body."""

from __future__ import annotations

import asyncio
import re

from aiohttp import web

from agents.web.hub import Hub

HUB = web.AppKey("hub", Hub)
SESSION = re.compile(r"[A-Za-z0-9_-]{43}")
_UPLOAD_S = 60.0


def cookie_of(request: web.Request) -> str:
    """The name of the cookie that says who asks."""
    return f"nlhe-table-{request.url.port}"  # cookies do not tell ports apart


def session_of(request: web.Request) -> str:
    """Who asks.

    Raises:
        ValueError: Without the cookie that the first page sets.
    """
    session = request.cookies.get(cookie_of(request), "")
    if not SESSION.fullmatch(session):
        raise ValueError("open the first page of this server before")
    return session


async def body_of(request: web.Request) -> bytes:
    """What has been sent, if it comes in time."""
    async with asyncio.timeout(_UPLOAD_S):
        return await request.read()
