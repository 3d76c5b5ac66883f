"""Matches: schedules of players and cards, their execution, and tallies of the results."""
