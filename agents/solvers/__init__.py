"""Players found by calculation."""
