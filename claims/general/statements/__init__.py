"""The general laws as programs over small frameworks.

`privacy.py`: processing, mixtures of mechanisms, odds, zero leakage. `classes.py`: all product
priors, all priors, mixtures of priors. `mixtures.py`: what mixtures lose, two priors at a time.
`sequences.py`: limits, several levels, nearly certain priors, adaptive releases. `quilts.py`:
divergences through hidden sets; rankings; chains.
`recorded.py`: confidence from counts. `linked.py`, `deltas.py`, `one_order.py`: linked arguments on
paths of tables, hidden records, one order of a pair.
"""
