"""The commands of ``python -m agents``."""
