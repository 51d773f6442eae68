"""Section 6.4.1: the scale of Laplace noise by the points of an influence curve."""
