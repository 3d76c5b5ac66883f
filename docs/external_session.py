"""Writes the session into external-bots.md: one hand of the reference bot, line by line.

python docs/external_session.py
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

import agents
import nlhe_env

_ROOT = Path(__file__).parents[1]
_PAGE = Path(__file__).with_name("external-bots.md")
_PLACE = re.compile(r"(<!-- session -->\n```text\n).*?(```\n<!-- end of session -->)", re.DOTALL)


def session() -> str:
    """The lines of a game of one hand, ``>`` to the bot and ``<`` from it."""
    with tempfile.TemporaryDirectory() as folder:
        to_bot, from_bot = Path(folder, "to"), Path(folder, "from")
        bot = f"{sys.executable} {_ROOT / 'examples/bots/bot.py'}"
        command = ["sh", "-c", f"tee {to_bot} | {bot} | tee {from_bot}"]
        env = nlhe_env.env(2, mode="cash", blinds=(10, 20), actions="chips")
        first_hand = {"button": 0, "hole_cards": {"player_0": "AsAd"}, "board": "9h4d2sQc6h"}
        with agents.ProcessPlayer(command) as player:
            players = {"player_0": player, "player_1": agents.make("caller")}
            agents.play_episode(env, players, seed=7, options=first_hand)
        lines = []
        answers = iter(from_bot.read_text().splitlines())
        for line in to_bot.read_text().splitlines():
            lines.append(f"> {line}")
            if json.loads(line)["type"] in ("hello", "act"):
                lines.append(f"< {next(answers)}")
    return "".join(f"{line}\n" for line in lines)


def with_session(page: str) -> str:
    """The page with the session as it goes now."""
    return _PLACE.sub(lambda found: found[1] + session() + found[2], page)


if __name__ == "__main__":
    _PAGE.write_text(with_session(_PAGE.read_text()))
