"""Plans of Polars: their `steps`, and the `private` data frames that are released by them."""
