"""The game: the records of tables and players, betting, dealing, blinds, tournaments."""
