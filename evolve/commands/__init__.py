"""The commands of ``python -m evolve``."""
