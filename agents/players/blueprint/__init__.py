"""Players that look up their actions in a precomputed strategy for a smaller game."""
