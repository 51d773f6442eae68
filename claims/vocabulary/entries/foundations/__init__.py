"""Entries of laws, pairs, promises and logic."""
