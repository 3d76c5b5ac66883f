"""Match statistics: confidence sequences, valid at any stopping time."""
