"""How good a hand is now and later: potential, odds, income rates, board texture."""
