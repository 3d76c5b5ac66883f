"""Players that look up what to do in a strategy found beforehand for a smaller game."""
