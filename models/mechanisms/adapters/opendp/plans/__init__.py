"""Plans of Polars: `private` reads their steps, and the data frames that are released by them."""
