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
        "ActionStatistics": f"{_HERE}.measurements",
        "Adaptation": f"{_HERE}.measurements",
        "RangeAccuracy": f"{_HERE}.measurements",
        "measure_actions": f"{_HERE}.measurements",
        "measure_adaptation": f"{_HERE}.measurements",
        "measure_ranges": f"{_HERE}.measurements",
    },
)
