"""Loki and Poki, the players of the University of Alberta for full tables."""
