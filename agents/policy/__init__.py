"""Players that kernels can run."""
