"""Bounds record by record from what noise has as levels: the `accountant` by quilts, networks (`likelihoods`) by
`elimination`.
"""

if __name__ != "pufferproof.verify.noise.accounts":
    raise ImportError('import it as "pufferproof.verify.noise.accounts": a bare "accounts" would make a second copy')
