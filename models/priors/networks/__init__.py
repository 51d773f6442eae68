"""Classes of Bayesian networks: people who infect their `contacts` with a transmission in an interval, and rows between
bounds. Files of networks are read by `formats`.
"""

if __name__ != "pufferproof.models.priors.networks":
    raise ImportError('import it as "pufferproof.models.priors.networks": a bare "networks" would make a second copy')
