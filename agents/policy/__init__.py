"""The interface of compiled players."""
