"""Mechanisms of diffprivlib: tables in closed form, and numbers with densities."""
