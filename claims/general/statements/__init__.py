"""The general laws as programs over small frameworks.

`privacy.py`: processing, mixtures of mechanisms, odds, zero leakage. `classes.claims`: all product
priors, all priors, mixtures of priors. `mixtures.claims`: what mixtures lose, two priors at a time.
`sequences.claims`: limits, several levels, nearly certain priors, adaptive releases.
`quilts.claims`: divergences through hidden sets; rankings; chains. `recorded.claims`: confidence
from counts.
"""
