"""Judges: what a hand was worth without some of the luck that went into its result."""
