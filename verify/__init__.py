"""What is true of the objects: leakage, delta, mixtures of priors, certificates and the trusted kernel."""

if __name__ != "pufferproof.verify":
    raise ImportError('import it as "pufferproof.verify": a bare "verify" would make a second copy of every class')
