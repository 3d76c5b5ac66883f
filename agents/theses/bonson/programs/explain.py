"""Explanations of decisions of teams of programs: their inputs, bids and votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import Ballot, DecisionContext, Explanation, Vote, explain_inputs
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import (
    LimitTeamPlayer,
    RemembersOpponent,
    VotingPlayer,
)
from agents.theses.bonson.programs.team_players import Bid, TeamPlayer, winner
from nlhe_env.spaces.actions import CALL_ID, N_SIZED, SIZED_NAMES
from nlhe_env.spaces.observation import Part


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation | None:
    """See ``agents.policy.explanations``."""
    mask = context.work.choices[0]["mask"][:N_SIZED]
    if isinstance(player, TeamPlayer):
        explanation = explain_inputs(player, context)
        return explanation._replace(ballots=(_ballot(player.bids(explanation.inputs, mask)),))
    if not isinstance(player, RemembersOpponent):
        return None
    names = player.inputs_are
    explanation = explain_inputs(
        player,
        context,
        parts=tuple(Part(name, i, 1, 10.0, "0 to 10") for i, name in enumerate(names)),
        inputs=player.inputs_in(context.memory),
        reads=names,
    )
    if isinstance(player, LimitTeamPlayer):
        return explanation._replace(ballots=(_ballot(player.bids_in(context.memory, mask)),))
    if isinstance(player, LayeredTeamPlayer):
        above, team, bids = player.bids_in(context.memory, mask)
        labels = [f"team {bid.program.action}" for bid in above]
        ballots = _ballot(above, "which team decides", labels), _ballot(bids, f"team {team}")
        return explanation._replace(ballots=ballots)
    if isinstance(player, VotingPlayer):
        done = SIZED_NAMES[int(np.argmax(explanation.chances))]
        return explanation._replace(ballots=(_poll(player.votes_in(context.memory, mask), done),))
    return None


def _ballot(bids: Sequence[Bid], title: str = "", labels: Sequence[str] = ()) -> Ballot:
    """Ballot of program bids; the highest one decides."""
    won = winner(bids)
    labels = labels or [SIZED_NAMES[bid.program.action] for bid in bids]
    votes = [
        Vote(label, bid.program, bid.bid, bid.is_legal, i == won)
        for i, (label, bid) in enumerate(zip(labels, bids, strict=True))
    ]
    return Ballot(tuple(votes), title)


def _poll(teams: Sequence[Sequence[Bid]], done: str) -> Ballot:
    """Ballot of team votes, each with its highest bid, for the chosen action and for others."""
    votes, wanted = list[Vote](), list[str]()
    for i, bids in enumerate(teams):
        best = winner(bids)
        program, bid = (None, 0.0) if best is None else (bids[best].program, bids[best].bid)
        wanted.append(SIZED_NAMES[CALL_ID if program is None else program.action])
        votes.append(Vote(f"team {i}, {wanted[i]}", program, bid, True, wanted[i] == done))
    counts = ", ".join(f"{n} {action}" for action, n in Counter(wanted).most_common())
    return Ballot(tuple(votes), f"votes: {counts}")
