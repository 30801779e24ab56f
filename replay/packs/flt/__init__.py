"""Massachusetts."""
