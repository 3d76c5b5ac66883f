"""Symbiotic evolution: teams of programs, selected by fitness, diversity or both."""
