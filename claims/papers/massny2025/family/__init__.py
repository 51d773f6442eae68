"""The family of 3R mechanisms. Read `statement` first, then `regions`."""
