"""Mechanisms as exact channels: `exponential`, the published ones that `collapse`, and `releases`,
which makes new mechanisms of several.

What a mechanism *is* stands here; what is true of it is for `pufferproof.verify` to decide.
"""

if __name__ != "pufferproof.models.mechanisms":
    raise ImportError('import it as "pufferproof.models.mechanisms": a bare "mechanisms" would make a second copy')
