"""Probes of chains and quilts."""
