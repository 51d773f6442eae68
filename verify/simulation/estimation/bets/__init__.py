"""Bets on the coins of calls: `coins` against a level, `additive` against other `claims`."""
