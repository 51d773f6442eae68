"""Definitions, chains and max-divergence. Read `definitions` first."""
