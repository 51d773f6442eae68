"""The published theory, one function per claim. Nothing here yet: the registry comes with the proof engine."""

if __name__ != "pufferproof.claims":
    raise ImportError('import it as "pufferproof.claims": a bare "claims" would make a second copy of every class')
