"""Symbiotic evolution: teams of programs, points and opponents evolve together, for diversity.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016).
"""

from __future__ import annotations

from evolve.symbiosis.folder import load_run, train_teams
from evolve.symbiosis.run import Symbiosis
from evolve.symbiosis.settings import GROUPS, MODELS, Model, SymbiosisSettings
from evolve.symbiosis.study import SymbiosisStudy, run_study

__all__ = [
    "GROUPS",
    "MODELS",
    "Model",
    "Symbiosis",
    "SymbiosisSettings",
    "SymbiosisStudy",
    "load_run",
    "run_study",
    "train_teams",
]
