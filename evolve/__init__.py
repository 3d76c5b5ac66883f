"""Evolution of poker players: populations, hall of fame, stored runs, duplicate-table comparisons.

``python -m evolve --help`` shows the command line; the modules can be used on their own as well.
"""
