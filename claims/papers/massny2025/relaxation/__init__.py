"""The relaxed design problem of 3R mechanisms. Read `statement` first, then `program`."""
