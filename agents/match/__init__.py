"""Who meets whom on which cards, played and counted."""
