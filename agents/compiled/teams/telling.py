"""What a team of programs tells of a decision: its inputs, and who bid what."""

from __future__ import annotations

from agents.compiled.minds import Asked, Mind, tell_inputs
from agents.compiled.players import CompiledPlayer
from agents.compiled.teams.limit_teams import LimitTeamPlayer
from agents.compiled.teams.team_players import TeamPlayer
from nlhe_env.spaces.observation import Part


def tell(player: CompiledPlayer, asked: Asked) -> Mind | None:
    """See ``agents.compiled.minds``."""
    mask = asked.work.choices[0]["mask"]
    if isinstance(player, LimitTeamPlayer):
        names = player.inputs_are
        return tell_inputs(
            player,
            asked,
            parts=tuple(Part(name, i, 1, 10.0, "0 to 10") for i, name in enumerate(names)),
            inputs=player.inputs_in(asked.memory),
            bids=tuple(player.bids_in(asked.memory, mask)),
            reads=names,
        )
    if isinstance(player, TeamPlayer):
        mind = tell_inputs(player, asked)
        return mind._replace(bids=tuple(player.bids(mind.inputs, mask)))
    return None  # of teams that vote
