"""Estimators of a match with less variance: all-in equity, DIVAT, AIVAT."""
