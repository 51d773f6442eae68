"""Releases over time: the command, and what it says."""
