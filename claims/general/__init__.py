"""General laws of Pufferfish privacy, proved for all finite sizes or refuted by smallest
counterexamples.

One file per family: `closure` (processing, mixing), `group_privacy`, `odds` (the Bayes
form), `translation` (per-record levels to a promise), `spectral_influence`, `recorded` (confidence
from counts), `samplers` (confidence from bets), and the room `priors` (all product priors, all
priors, mixtures). `statements` has what they say as programs and as linked arguments, `said`
statements as objects, which Coq proves. Levels are ratios R = e^epsilon >= 1; "a <= R b" for P(y |
s, theta) = a and P(y | s', theta) = b says that 0/0 is no violation and that a/0 with a > 0 is
one.
"""
