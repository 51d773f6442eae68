"""Searches for failure: releases that break a promise together, shrunk to small ones.

Read `collapse.search` first. `breaking_runs` turns a failed condition into runs that break it,
`shrink` makes what was found small, and `gallery` keeps it; `exploration` goes through families of
frameworks.
"""

if __name__ != "pufferproof.counterexamples":
    raise ImportError(
        'import it as "pufferproof.counterexamples": a bare "counterexamples" would make a second copy of every class'
    )
