"""Precomputed strategies and statistics from matches or solvers."""

from __future__ import annotations

from agents.books.pseudo_optimal.players import pseudo_optimal_player

__all__ = ["pseudo_optimal_player"]
