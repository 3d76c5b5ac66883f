"""The players, one folder a family."""
