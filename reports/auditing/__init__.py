"""The commands about one mechanism and its evidence: `audit` first, then `words`."""
