"""What teams of programs tell of a decision: their inputs, and who bid what or voted how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from agents.compiled.minds import Asked, Ballot, Mind, Vote, tell_inputs
from agents.compiled.players import CompiledPlayer
from agents.compiled.teams.layered_teams import LayeredTeamPlayer
from agents.compiled.teams.limit_teams import LimitTeamPlayer, RemembersOpponent, VotingPlayer
from agents.compiled.teams.team_players import Bid, TeamPlayer, winner
from agents.compiled.view import CALL_ID
from nlhe_env.spaces.actions import N_SIZED, SIZED_NAMES
from nlhe_env.spaces.observation import Part


def tell(player: CompiledPlayer, asked: Asked) -> Mind | None:
    """See ``agents.compiled.minds``."""
    mask = asked.work.choices[0]["mask"][:N_SIZED]
    if isinstance(player, TeamPlayer):
        mind = tell_inputs(player, asked)
        return mind._replace(ballots=(_ballot(player.bids(mind.inputs, mask)),))
    if not isinstance(player, RemembersOpponent):
        return None
    names = player.inputs_are
    mind = tell_inputs(
        player,
        asked,
        parts=tuple(Part(name, i, 1, 10.0, "0 to 10") for i, name in enumerate(names)),
        inputs=player.inputs_in(asked.memory),
        reads=names,
    )
    if isinstance(player, LimitTeamPlayer):
        return mind._replace(ballots=(_ballot(player.bids_in(asked.memory, mask)),))
    if isinstance(player, LayeredTeamPlayer):
        above, team, bids = player.bids_in(asked.memory, mask)
        labels = [f"team {bid.program.action}" for bid in above]
        ballots = _ballot(above, "which team decides", labels), _ballot(bids, f"team {team}")
        return mind._replace(ballots=ballots)
    if isinstance(player, VotingPlayer):
        done = SIZED_NAMES[int(np.argmax(mind.chances))]
        return mind._replace(ballots=(_poll(player.votes_in(asked.memory, mask), done),))
    return None


def _ballot(bids: Sequence[Bid], title: str = "", labels: Sequence[str] = ()) -> Ballot:
    """Bids of programs, of which the highest decides."""
    won = winner(bids)
    labels = labels or [SIZED_NAMES[bid.program.action] for bid in bids]
    votes = [
        Vote(label, bid.program, bid.bid, bid.is_legal, i == won)
        for i, (label, bid) in enumerate(zip(labels, bids, strict=True))
    ]
    return Ballot(tuple(votes), title)


def _poll(teams: Sequence[Sequence[Bid]], done: str) -> Ballot:
    """Votes of teams, each as its highest bid, for what was done and for other actions."""
    votes, wanted = list[Vote](), list[str]()
    for i, bids in enumerate(teams):
        best = winner(bids)
        program, bid = (None, 0.0) if best is None else (bids[best].program, bids[best].bid)
        wanted.append(SIZED_NAMES[CALL_ID if program is None else program.action])
        votes.append(Vote(f"team {i}, {wanted[i]}", program, bid, True, wanted[i] == done))
    counts = ", ".join(f"{n} {action}" for action, n in Counter(wanted).most_common())
    return Ballot(tuple(votes), f"votes: {counts}")
