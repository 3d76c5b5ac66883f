"""Rule players, which choose the exact size of their raises."""
