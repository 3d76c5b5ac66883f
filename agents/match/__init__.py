"""Matches: schedules of players and cards, their play, and tallies of the results."""
