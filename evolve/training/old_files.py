"""Configurations of version 0.1, in the words of this one.

They were flat, and of two forms: that of ``train`` and that of ``optimize``. The folder of an old
run holds all values of its form, also those that its choices never use.
"""

from __future__ import annotations

from typing import Any

_RENAMED = {"seats": "table_size", "session": "num_hands", "initialisation": "start"}
_WHOLE = {"name", "seed", "generations", "inputs", "hidden", "starting_stack", "blinds"}
"""Values that a configuration of an old run folder always has."""
_ONLY_WITH = {
    "hands_won_weight": ("fitness", "hands_won"),
    "session": ("game", "cash"),
    "novelty": ("optimizer", "genetic", "mutation"),
}
"""Values that old folders have in any case -> the choices with which they count."""


def modernised(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a file in the words of this version; those of a new file as they are."""
    if any(isinstance(value, dict) for value in values.values()):
        return values
    values = dict(values)
    is_search = isinstance(values.get("optimizer"), str) and "extends" not in values
    if values.get("fitness") == "place":
        values["fitness"] = "score"
    if values.keys() >= _WHOLE:
        for key, (section, *kinds) in _ONLY_WITH.items():
            if key in values and values.get(section) not in kinds:
                del values[key]
    if is_search and values["optimizer"] != "elitist" and "schedule" not in values:
        values = {"schedule": "blocks", "opponents": "pool", "progress_tournaments": 0} | values
    return {_RENAMED.get(key, key): value for key, value in values.items()}
