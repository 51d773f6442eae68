"""General laws of Pufferfish privacy, proved for all finite sizes or refuted by smallest counterexamples.

One file per family: `closure` (processing, mixing, limits), `group_privacy`, `odds` (the Bayes form), `prior_mixtures`,
`prior_classes` (all product priors, all i.i.d. priors, all priors). Levels are ratios R = e^epsilon >= 1; "a <= R b" for
P(y | s, theta) = a and P(y | s', theta) = b says that 0/0 is no violation and that a/0 with a > 0 is one.
"""
