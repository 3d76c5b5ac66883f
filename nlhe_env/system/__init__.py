"""Atomic file writes, standard streams, command lines, cores and memory."""
