"""One table in the browser: the game, its participants, and the view of each."""
