"""Rule players, which name the amounts of their raises."""
