"""Data that somebody recorded, and the Markov chain that is fitted to it. Read `fit` first.

`table` reads a column of a CSV or Parquet file, `bits` says what may stand in a cell. `chains` counts steps, `boxes`
has the matrices that data do not rule out, `doubts` says what speaks against the chain, `groups` which priors hold all
groups. `normal` fits normal laws to numbers.
"""
