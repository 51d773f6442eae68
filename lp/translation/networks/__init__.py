"""Networks with loops: `loops` bounds the worst case, `eliminated` has an upper bound for bits."""
