"""Entries of tables of records."""
