"""Pointwise and max-influence on a binary chain. Read `statement` first."""
