"""Networks with loops: `loops` bounds the worst case, `eliminated` has one by elimination."""
