"""Symbiotic evolution: teams of programs that are kept by fitness, by diversity, or by both."""
