"""Loki and Poki, the University of Alberta's players for full-ring tables."""
