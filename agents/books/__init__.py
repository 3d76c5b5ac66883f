"""Strategies and statistics computed beforehand, by matches or solvers, for players to look up."""

from __future__ import annotations

from agents.books.pseudo_optimal.players import pseudo_optimal_player

__all__ = ["pseudo_optimal_player"]
