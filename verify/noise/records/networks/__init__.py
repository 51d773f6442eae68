"""Noisy numbers of records on a Bayesian network: the `law` of their queries, and the two ends of
`attractive` networks of bits where tables are too large for it.
"""

if __name__ != "pufferproof.verify.noise.records.networks":
    raise ImportError(
        'import it as "pufferproof.verify.noise.records.networks": a bare "networks" would make a '
        "second copy"
    )
