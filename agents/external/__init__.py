"""Players outside compiled code: Python objects, other packages, programs."""
