"""Figures of massny2025 computed again: `figures` first, then `influences` and `pictures`."""
