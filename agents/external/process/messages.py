"""Messages of the protocol of ``docs/external-bots.md``: writing them, and reading the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agents.external.chips import CHECK_OR_CALL, FOLD, chips_id_of
from agents.external.process.report import ILLEGAL, UNREADABLE, BotFault
from nlhe_env.system.json_text import parse_json

PROTOCOL = 1

_MOST_SHOWN = 80
_LONGEST_NAME = 40

# Compact ASCII, so that bots need no encoding.
_encode = json.JSONEncoder(separators=(",", ":")).encode


def to_line(kind: str, fields: Mapping[str, Any]) -> bytes:
    """Line for a message, including its newline."""
    return _encode({"type": kind, **fields}).encode("ascii") + b"\n"


def read_object(line: bytes) -> dict[str, Any]:
    """Parse the object in a line.

    Raises:
        BotFault: The line is not an object.
    """
    try:
        message = parse_json(line, finite=False)
    except ValueError:
        raise BotFault(UNREADABLE, f"not JSON: {shown(line)}") from None
    if not isinstance(message, dict):
        raise BotFault(UNREADABLE, f"not a JSON object: {shown(line)}")
    return message


def read_name(line: bytes) -> str | None:
    """Name in a ``ready`` message, if any.

    Raises:
        BotFault: The line is another message.
    """
    message = read_object(line)
    if message.get("type") != "ready":
        raise BotFault(UNREADABLE, f'expected a "ready" message: {shown(line)}')
    name = message.get("name")
    if not isinstance(name, str):
        return None
    return "".join(filter(str.isprintable, name))[:_LONGEST_NAME].strip() or None


def read_games(line: bytes) -> tuple[Any, Any]:
    """Numbers of players and betting structures in a ``ready`` message; None where there are none.

    They have the values of ``agents.external.known_games``; others declare nothing.
    """
    message = read_object(line)
    return message.get("seats"), message.get("betting")


def read_number(message: Mapping[str, Any]) -> int | None:
    """Number of the decision that a message answers; ``None`` if missing."""
    number = message.get("id")
    answers = message.get("type") == "action" and isinstance(number, int)
    return number if answers and not isinstance(number, bool) else None


def read_action(message: Mapping[str, Any], turn: Mapping[str, Any]) -> int:
    """Id in chips of the action in an answer.

    Raises:
        BotFault: The answer names no action, or one that is illegal now.
    """
    word = message.get("action")
    if word == "fold":
        return FOLD if turn["to_call"] > 0 else CHECK_OR_CALL
    if word == "call":
        return CHECK_OR_CALL
    if word == "check":
        if turn["to_call"] > 0:
            raise BotFault(ILLEGAL, f"check facing a bet of {turn['to_call']}")
        return CHECK_OR_CALL
    if word != "raise":
        raise BotFault(ILLEGAL, f'"action" must be fold, check, call or raise; got {shown(word)}')
    amount = message.get("to")
    if isinstance(amount, float) and amount.is_integer():  # some languages write 60 as 60.0
        amount = int(amount)
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise BotFault(ILLEGAL, f'"to" of a raise must be a whole number; got {shown(amount)}')
    if not 0 < turn["min_raise_to"] <= amount <= turn["max_raise_to"]:
        allowed = f"{turn['min_raise_to']}..{turn['max_raise_to']}"
        may = f"allowed is {allowed}" if turn["max_raise_to"] else "no raise is allowed"
        raise BotFault(ILLEGAL, f"raise to {shown(amount)}; {may}")
    return chips_id_of(amount)


def shown(value: Any) -> str:
    """Beginning of a bot's output, safe to print."""
    if isinstance(value, (dict, list)):  # possibly nested too deeply to print
        return "an object" if isinstance(value, dict) else "a list"
    text = ascii(value[:_MOST_SHOWN] if isinstance(value, (bytes, str)) else value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."
