"""The general laws as programs over small frameworks.

`privacy.py`: processing, mixtures of mechanisms, odds, zero leakage. `classes.py`: all product
priors, all priors, mixtures of priors. `tables.py`: changes of single records, groups, hidden sets.
"""
