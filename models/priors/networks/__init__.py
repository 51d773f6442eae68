"""Classes of Bayesian networks: rows between bounds (`intervals`), and people who infect their
`contacts` with a transmission in an interval. Files of networks are read by `formats` and `bif`.
"""

if __name__ != "pufferproof.models.priors.networks":
    raise ImportError('import it as "pufferproof.models.priors.networks": a bare "networks" would make a second copy')
