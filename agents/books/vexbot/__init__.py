"""What a Vexbot knows before its first hand."""
