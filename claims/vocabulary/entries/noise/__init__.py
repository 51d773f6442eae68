"""Levels between neighbours, and mechanisms that keep them."""
