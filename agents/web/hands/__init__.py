"""Finished hands: reading, replay, explanation and solution."""
