"""The ways in: the AEC environment, batches of tables, the Gymnasium environment, saved games."""
