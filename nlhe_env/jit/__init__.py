"""Compiled kernels: decorators, the kernel cache, function pointers, array types."""
