"""Networks with loops: `loops` bounds the worst case along cut sets and by elimination."""
