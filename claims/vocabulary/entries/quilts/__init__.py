"""Entries of chains and quilts."""
