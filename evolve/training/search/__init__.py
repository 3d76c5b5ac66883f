"""Optimizers that train players: candidates play on the same cards, and the best are learnt from.

An optimizer of ``evolve.optimizers`` proposes the weights of networks; they play cash games or
tournaments against opponents; what they win is told back. Started by ``python -m evolve optimize``.
"""

from __future__ import annotations

from evolve.training.search.config import SearchConfig
from evolve.training.search.folder import SearchFolder
from evolve.training.search.presets import (
    load_search_config,
    load_search_preset,
    search_preset_names,
)
from evolve.training.search.run import SearchListener, search
from evolve.training.search.state import SearchState

__all__ = [
    "SearchConfig",
    "SearchFolder",
    "SearchListener",
    "SearchState",
    "load_search_config",
    "load_search_preset",
    "search",
    "search_preset_names",
]
