"""Vector lanes, and arithmetic that is bit-identical on every machine."""
