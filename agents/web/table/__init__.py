"""One table in the browser: the game, who sits at it, and what each of them may see."""
