"""Probes of streams of blocks."""
