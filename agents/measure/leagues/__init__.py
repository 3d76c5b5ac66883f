"""Leagues: every player against every other, stored, rated and drawn."""
