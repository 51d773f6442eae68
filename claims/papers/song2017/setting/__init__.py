"""Definitions, chains, influences and max-divergence. Read `definitions` first."""
