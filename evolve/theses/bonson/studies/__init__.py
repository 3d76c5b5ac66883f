"""Comparison of diversity models: tests of finished teams, report and pictures."""
