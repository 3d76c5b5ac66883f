"""Players, one subpackage for each family."""
