"""One table in the browser: the game, its participants and their views."""
