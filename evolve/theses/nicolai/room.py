"""Record of the experiments with halls of fame."""

from __future__ import annotations

from agents.rooms import Room

_HERE = "evolve.theses.nicolai"

ROOM = Room(
    does="the experiments with halls of fame, and their study over seeds",
    presets=_HERE,
    commands={
        "study": f"{_HERE}.study_command:StudyCommand",
        "study summary": f"{_HERE}.summary_command:Summary",
    },
)
