"""The command `translate`: from per-record levels to a Pufferfish promise. Read `command` first."""
