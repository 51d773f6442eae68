"""The commands about one mechanism and its evidence: `audit` first, then `check` and `schema`."""
