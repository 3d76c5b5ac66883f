"""Hands that are over: read, leafed through, explained, solved."""
