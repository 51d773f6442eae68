"""Priors that are no single homogeneous Markov chain: chains `changing` with time, a `box` of
transition matrices, and all chains with a `gap`.
"""

if __name__ != "pufferproof.models.priors.chains":
    raise ImportError('import it as "pufferproof.models.priors.chains": a bare "chains" would make a second copy')
