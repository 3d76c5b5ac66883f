"""Players that look up their actions in a strategy computed beforehand for a smaller game."""
