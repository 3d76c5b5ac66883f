"""Action encodings, bet sizes, and observations."""
