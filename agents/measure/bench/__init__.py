"""The bench: evaluation of any player against fixed anchors, summarised in a scorecard."""
