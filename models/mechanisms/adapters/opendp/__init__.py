"""Objects of OpenDP: `measurements`, and the transformations before them."""
