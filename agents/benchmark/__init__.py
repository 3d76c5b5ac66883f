"""The bench: any player against fixed anchors, summed up in a scorecard."""
