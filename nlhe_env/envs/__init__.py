"""Environments: PettingZoo AEC, batches of tables, Gymnasium, and saved games."""
