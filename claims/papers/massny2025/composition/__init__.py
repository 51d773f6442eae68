"""Leakage of the two sides of the private record adds up: `statement` first."""
