"""Chains whose steps are all alike."""
