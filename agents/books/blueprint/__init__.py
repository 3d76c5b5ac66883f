"""Strategies for games too large to be solved: bets and cards are merged, the rest is sampled."""
