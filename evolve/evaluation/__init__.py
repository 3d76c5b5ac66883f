"""Evaluation of games played: places, leagues, meta-games, progress."""
