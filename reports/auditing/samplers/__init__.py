"""`estimate`: the `command`, its `evidence`, and the program `bets` that does the bets again."""
