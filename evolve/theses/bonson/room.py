"""Record of the evolution of teams by symbiosis."""

from __future__ import annotations

from agents.rooms import Room

_HERE = "evolve.theses.bonson"

ROOM = Room(
    does="evolution of teams of programs by symbiosis",
    parts={
        "genomes": {
            "teams": f"{_HERE}.teams:TeamKind",
            "limit-teams": f"{_HERE}.teams:LimitTeamKind",
        },
        "optimizer": {"symbiosis": f"{_HERE}.symbiosis.optimizer:SymbiosisSettings"},
        "opponents": {"points": f"{_HERE}.match_schedule:PointSettings"},
        "schedule": {"matches": f"{_HERE}.match_schedule:MatchSchedule"},
    },
    presets=_HERE,
)
