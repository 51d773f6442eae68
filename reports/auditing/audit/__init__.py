"""The command `audit`: its options, what is decided, and what is told and written of it."""
