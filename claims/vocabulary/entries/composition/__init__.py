"""Entries of several releases."""
