"""Several releases with points of the influence curve."""
