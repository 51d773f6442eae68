"""Searches for failure: releases that break a promise together, shrunk to small ones.

`collapse` is the search, with three engines (`lp.supports`, `collapse_rays`, `collapse_z3`); `leakage_above` asks for
a finite level, `threshold` for the budget at which collapse starts. `shrink` and `smallest` make counterexamples
minimal, `from_failure` turns a failed condition into runs that break it, and `gallery` keeps what was found.
"""

if __name__ != "pufferproof.counterexamples":
    raise ImportError(
        'import it as "pufferproof.counterexamples": a bare "counterexamples" would make a second copy of every class'
    )
