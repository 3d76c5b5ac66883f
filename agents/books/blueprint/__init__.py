"""Blueprint strategies for large games, by abstraction and sampling."""
