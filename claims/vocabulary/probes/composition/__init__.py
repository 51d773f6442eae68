"""Probes of several releases."""
