"""Precomputed strategies and statistics from matches or solvers."""
