"""Hold'em made small: hands in a few buckets, solved exactly or as closely as one likes."""
