"""Measuring players: duplicate tables, leagues, the bench, and bounds on exploitability."""
