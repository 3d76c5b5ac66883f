"""Players that decide outside the kernels: Python objects, other packages, programs."""
