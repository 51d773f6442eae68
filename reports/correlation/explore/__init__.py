"""The command `explore`: a family of frameworks, each with its exact worst case and the bounds
beside it. Read `command` first; `outputs` has tables and the plot. `priors` is a command of its
own: every prior on a grid. So is `conjecture`, which writes claims by `skeleton`.
"""
