"""Estimators of a hand's mean result, with less variance than the actual result."""
