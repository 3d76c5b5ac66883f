"""Requests about recorded hands: storing, replaying, explaining, solving, continuing."""

from __future__ import annotations

from aiohttp import web

from agents.web.request_validation import whole_number
from agents.web.requests import HUB, body_of, session_of
from nlhe_env.hand_history import Hand, write_hands
from nlhe_env.hand_history.streams import encoding_of


async def _open_replay(request: web.Request) -> web.Response:
    session_of(request)
    content = await body_of(request)
    text = content.decode(encoding_of(content), errors="replace")
    title = request.query.get("title", "")
    return web.json_response({"replay": await request.app[HUB].add_replay(text, title)})


async def _prepare_reader(request: web.Request) -> web.Response:
    session_of(request)
    await request.app[HUB].prepare_reader()
    return web.json_response({})


async def _replay(request: web.Request) -> web.Response:
    text = await request.app[HUB].replay_contents(request.match_info["replay"])
    return web.json_response(text=text)


async def _replay_hand(request: web.Request) -> web.Response:
    hand = _number_of_hand(request)
    try:
        steps = await request.app[HUB].replay_steps(request.match_info["replay"], hand)
    except IndexError:
        raise KeyError(hand) from None
    return web.json_response(text=steps)


def _number_of_hand(request: web.Request) -> int:
    hand = request.match_info["hand"]
    if not (hand.isascii() and hand.isdecimal() and len(hand) < 8):
        raise KeyError(hand)
    return int(hand)


def _hand(request: web.Request) -> Hand:
    """The hand of a request."""
    session_of(request)
    hands = request.app[HUB].replays[request.match_info["replay"]].hands
    number = _number_of_hand(request)
    if number >= len(hands):
        raise KeyError(number)
    return hands[number]


async def _explain(request: web.Request) -> web.Response:
    return web.json_response(await request.app[HUB].explanation(_hand(request)))


async def _advise(request: web.Request) -> web.Response:
    player = request.query.get("player", "")
    return web.json_response(await request.app[HUB].advice(_hand(request), player))


async def _solve(request: web.Request) -> web.Response:
    return await solution_of(request, _hand(request))


async def solution_of(request: web.Request, hand: Hand) -> web.Response:
    """Solution of the street named by a request."""
    street = request.query.get("street", "")
    return web.json_response(await request.app[HUB].solution(hand, street))


async def _session(request: web.Request) -> web.Response:
    session_of(request)
    return web.json_response(await request.app[HUB].session(request.match_info["replay"]))


async def _coach(request: web.Request) -> web.Response:
    session_of(request)
    query, replay = request.query, request.match_info["replay"]
    first = whole_number("first", query.get("first", "0"), 0, 1_000_000)
    decisions = request.app[HUB].coach(
        replay, query.get("player", ""), query.get("model", ""), first
    )
    return web.json_response(await decisions)


async def _players_to_coach(request: web.Request) -> web.Response:
    session_of(request)
    names = await request.app[HUB].players_to_coach(request.match_info["replay"])
    return web.json_response({"players": names})


async def _write(request: web.Request) -> web.Response:
    """One hand as a file, for links that contain it."""
    return web.Response(text=write_hands([_hand(request)]), content_type="text/plain")


async def _set_up(request: web.Request) -> web.Response:
    step = whole_number("step", request.query.get("step", ""), 0, 10_000)
    return web.json_response(await request.app[HUB].position(_hand(request), step))


_HAND = "/api/replays/{replay}/hands/{hand}"

REPLAY_ROUTES = (
    web.post("/api/replays", _open_replay),
    web.post("/api/replays/preparation", _prepare_reader),
    web.get("/api/replays/{replay}", _replay),
    web.get("/api/replays/{replay}/session", _session),
    web.get("/api/replays/{replay}/coach", _coach),
    web.get("/api/replays/{replay}/coach/players", _players_to_coach),
    web.get(_HAND, _replay_hand),
    web.get(f"{_HAND}/explanation", _explain),
    web.get(f"{_HAND}/advice", _advise),
    web.get(f"{_HAND}/solution", _solve),
    web.get(f"{_HAND}/hand.phhs", _write),
    web.get(f"{_HAND}/position", _set_up),
)
