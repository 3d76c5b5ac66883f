"""Statistics of matches: estimates, stop rules and rankings."""
