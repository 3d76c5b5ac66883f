"""Variance reduction for matches: all-in equity, DIVAT, AIVAT."""
