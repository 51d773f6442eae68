"""Data that somebody recorded, and the Markov chain that is fitted to it. Read `fit` first.

`table` reads a column of a CSV or Parquet file, `labels` says what may stand in a cell. `counts`
has the values in order, their steps and the prior that these give, `boxes` the matrices that data
do not rule out, `doubts` says what speaks against the chain, `kinds` which priors hold all groups,
`document` is the framework file, `drawing` the plot. `normal` fits normal laws to numbers. `bits`
reads one sequence of 0 and 1.
"""
