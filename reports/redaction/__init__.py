"""`pufferproof redact`: `command` first; `table` and `curves` show designs."""
