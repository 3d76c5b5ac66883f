"""Reduced hold'em games with a few buckets, solved exactly or to any precision."""
