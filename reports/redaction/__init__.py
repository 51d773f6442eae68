"""`pufferproof redact`: `command` first; `table` and `plot` show designs."""
