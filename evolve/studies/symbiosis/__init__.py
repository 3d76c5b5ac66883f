"""The comparison of models of diversity: tests of finished teams, report and pictures."""
