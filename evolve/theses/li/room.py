"""Record of the evolution of ASHE."""

from __future__ import annotations

from agents.rooms import Room

_HERE = "evolve.theses.li"

ROOM = Room(
    does="evolution of ASHE: networks with memory, and estimators over trees",
    parts={
        "genomes": {"ashe": f"{_HERE}.ashe:AsheKind", "ashe-2": f"{_HERE}.ashe_models:ModelKind"},
        "optimizer": {"tiered": f"{_HERE}.tiered:Tiered"},
    },
    presets=_HERE,
    names={
        "ActionStatistics": f"{_HERE}.action_statistics",
        "Adaptation": f"{_HERE}.adaptation",
        "RangeAccuracy": f"{_HERE}.range_accuracy",
        "measure_actions": f"{_HERE}.action_statistics",
        "measure_adaptation": f"{_HERE}.adaptation",
        "measure_ranges": f"{_HERE}.range_accuracy",
    },
)
