"""Priors on records that are numbers, which have a density and no list of databases: `gaussian`
is truncated to a box, and `windows` are the secrets about it; `normal` is not truncated,
`kernels` names some of its covariances, and `points` are the secrets about that.
"""

if __name__ != "pufferproof.models.priors.continuous":
    raise ImportError(
        'import it as "pufferproof.models.priors.continuous": a bare "continuous" would make a second copy'
    )
