"""Which records around one of a chain to hide."""
