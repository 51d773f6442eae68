"""Frameworks and mechanisms that people can run today, one folder per example, in three rooms.

`textbook` has the mechanisms of the literature, `correlated` what they leak along sequences,
`limits` what breaks composition and what priors decide. `builders` writes them all. `libraries` has
none: it audits mechanisms of other libraries in Python. `builders/mechanisms` constructs
the mechanisms of the literature, `reproduce` computes published figures again.
"""

if __name__ != "pufferproof.examples":
    raise ImportError('import it as "pufferproof.examples": a bare "examples" would make a second copy of every class')
