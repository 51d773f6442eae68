"""Searches for failure. Nothing here yet: the first searches come with composition collapse."""

if __name__ != "pufferproof.counterexamples":
    raise ImportError(
        'import it as "pufferproof.counterexamples": a bare "counterexamples" would make a second copy of every class'
    )
