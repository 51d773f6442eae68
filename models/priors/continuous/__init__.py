"""Priors on records that are numbers, which have a density and no list of databases: `normal`, truncated to a box or
not, `network` names some of its covariances, and `points` are the secrets about that, windows or points.
"""

if __name__ != "pufferproof.models.priors.continuous":
    raise ImportError(
        'import it as "pufferproof.models.priors.continuous": a bare "continuous" would make a second copy'
    )
