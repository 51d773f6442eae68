"""Small instances that statements are tried on, and the definitions that judge them.

`laws.py`: finite laws as dictionaries, ratios, mixtures. `frameworks.py`: databases, secrets,
priors and mechanisms as lists of fractions, Pufferfish privacy by its definition. `chains.py`:
sequences with their law written out, and influence as a ratio of sums. `redaction.py`: stationary
chains of bits, local redaction and what it shows. `sums.py`: sums by keys, laws after steps,
rankings and largest quotients. `matrices.py`: powers and eigenvalues of small transition matrices.
Nothing here is used by what computes; all of it is slow on purpose.
"""
