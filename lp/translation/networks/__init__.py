"""Networks with loops: `loops` bounds the worst case, `elimination` has an upper bound for bits."""
