"""Probes of laws, pairs, promises and logic."""
