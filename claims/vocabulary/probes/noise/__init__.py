"""Probes of levels between neighbours, and of mechanisms that keep them."""
