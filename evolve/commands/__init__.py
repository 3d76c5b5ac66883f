"""The commands of ``python -m evolve`` that judge players; ``train`` is in ``evolve.cli``."""
