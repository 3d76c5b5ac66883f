"""Estimators of the mean result of a hand, with less variance than the result as the cards fell."""
