"""Meta-games: the payoffs between generations, and their equilibria."""
