"""The published theory, one function per claim. `registry` has them, `run` examines them."""

if __name__ != "pufferproof.claims":
    raise ImportError('import it as "pufferproof.claims": a bare "claims" would make a second copy of every class')
