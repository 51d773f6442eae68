"""Searches for failure: releases that break a promise together, shrunk to small ones."""

if __name__ != "pufferproof.counterexamples":
    raise ImportError(
        'import it as "pufferproof.counterexamples": a bare "counterexamples" would make a second copy of every class'
    )
