"""Entries of streams of blocks."""
