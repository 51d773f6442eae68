"""Probes of chains whose steps are all alike."""
