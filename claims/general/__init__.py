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

NOTATION = {
    "y": "an output of a mechanism",
    "s, s'": "secrets; (s, s') is an ordered pair of disjoint secrets",
    "P(y | s, theta)": "the probability of y given s under the prior theta, where theta(s) > 0",
    "P(y | D), P(y | x)": "the probability of the output y on the database D, or x",
    "(S, Q, Theta)": "a framework: its secrets, its pairs of secrets, its priors",
    "S, Q": "the secrets of a framework, and its pairs of secrets",
    "k": "a number of entries",
    "U": "a set of tables, each a list of cells",
    "D, D'": "databases",
    "x, x'": "databases",
    "K": "a stochastic kernel from outputs to new outputs, which sees nothing else",
    "P(s), P(s|y)": "the probability of s under the prior, and given the output y",
}
