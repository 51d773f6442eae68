"""`pufferproof reproduce`: `command` first; figures of papers, computed again."""
