"""What concerns the machine and not poker: compiled kernels, vectors, arithmetic, caches."""
