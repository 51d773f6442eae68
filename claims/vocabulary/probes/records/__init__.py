"""Probes of tables of records."""
