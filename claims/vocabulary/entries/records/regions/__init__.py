"""Entries of what sides of a record tell, and of the regions of 3R mechanisms on them."""
