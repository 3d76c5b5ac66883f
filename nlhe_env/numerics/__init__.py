"""Vector lanes, and arithmetic with the same bits on every machine."""
