"""What the Vexbot of no-limit tells of a decision: what it expects to win by each action."""

from __future__ import annotations

from agents.compiled.minds import Asked, Mind
from agents.compiled.players import CompiledPlayer
from agents.compiled.vexbot.telling import tell_search
from agents.compiled.vexbot_nolimit.player import expected_values


def tell(player: CompiledPlayer, asked: Asked) -> Mind:
    """See ``agents.compiled.minds``."""
    return tell_search(asked, expected_values(asked.work.scratch))
