"""Feed-forward and recurrent networks as compiled players."""
