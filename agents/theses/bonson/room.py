"""Record of the teams of programs."""

from __future__ import annotations

from agents.rooms import PlayerRecord, Room


def _team(name: str, does: str) -> PlayerRecord:
    return PlayerRecord(
        name,
        f"heads-up fixed-limit: {does}",
        f"agents.theses.bonson:data/{name}.npz",
        seats=2,
        betting="fixed-limit",
        memory=True,
    )


_PROGRAMS = "agents.theses.bonson.programs"

ROOM = Room(
    does="teams of programs that bid for decisions",
    players=(
        _team("limit-team", "a team of evolved programs that bid for each decision"),
        _team("limit-vote", "nine such teams, which vote"),
        _team("limit-layers", "bidding programs select one of ten teams to play"),
    ),
    kinds={
        "team": f"{_PROGRAMS}.team_players",
        "limit-team": f"{_PROGRAMS}.limit_teams",
        "layered-team": f"{_PROGRAMS}.layered_teams",
        **dict.fromkeys(
            ("strength-rule", "bayesian-rule", "even-chances"), f"{_PROGRAMS}.strength_rules"
        ),
    },
    names={
        "Instruction": f"{_PROGRAMS}.instructions",
        "LayeredTeamPlayer": f"{_PROGRAMS}.layered_teams",
        "LimitTeamPlayer": f"{_PROGRAMS}.limit_teams",
        "Program": f"{_PROGRAMS}.instructions",
        "TeamPlayer": f"{_PROGRAMS}.team_players",
        "VotingPlayer": f"{_PROGRAMS}.limit_teams",
    },
)
