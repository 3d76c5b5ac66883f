"""Exact pot shares of known hands over unknown boards, for kernels."""
