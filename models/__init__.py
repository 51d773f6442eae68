"""What we talk about: exact frameworks, priors, channels and levels, and the quantities that need no solver.

Nothing here decides a verdict; `pufferproof.verify` does.
"""

if __name__ != "pufferproof.models":
    raise ImportError('import it as "pufferproof.models": a bare "models" would make a second copy of every class')
