"""Samples, tests and intervals."""
