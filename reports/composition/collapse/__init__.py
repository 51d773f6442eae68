"""`pufferproof collapse`, and what it says on a terminal: `command`."""
