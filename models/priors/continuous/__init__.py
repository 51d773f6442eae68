"""Priors on records that are numbers, which have a density and no list of databases: `gaussian`
first, then `windows`, the secrets about them.
"""

if __name__ != "pufferproof.models.priors.continuous":
    raise ImportError(
        'import it as "pufferproof.models.priors.continuous": a bare "continuous" would make a '
        "second copy"
    )
