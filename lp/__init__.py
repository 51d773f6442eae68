"""Optimisation over mechanisms and priors: composition rates and the condition for composition, by linear programs."""

if __name__ != "pufferproof.lp":
    raise ImportError('import it as "pufferproof.lp": a bare "lp" would make a second copy of every class')
