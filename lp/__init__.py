"""Optimisation over mechanisms and priors. Nothing here yet: the first linear programs come with the composition rate."""

if __name__ != "pufferproof.lp":
    raise ImportError('import it as "pufferproof.lp": a bare "lp" would make a second copy of every class')
