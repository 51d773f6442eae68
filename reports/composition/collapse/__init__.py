"""`pufferproof collapse`: `command` first; `words` are what it says on a terminal."""
