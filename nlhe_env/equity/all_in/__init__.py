"""Hands that are known, and a board that is not: exact shares of pots, for kernels."""
