"""Replication studies of published experiments over several seeds, with reports."""
