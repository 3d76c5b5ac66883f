"""Crash-safe files."""
