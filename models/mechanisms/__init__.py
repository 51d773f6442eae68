"""Published mechanisms as exact channels, one file per family, those that select in `selection`;
`releases` makes new ones of several.

Every constructor takes its privacy parameter as a rational ratio R = e^epsilon_0 and returns a
`Channel` whose entries are exact. What a mechanism *is* stands here; what is true of it is for
`pufferproof.verify` to decide.
"""

if __name__ != "pufferproof.models.mechanisms":
    raise ImportError(
        'import it as "pufferproof.models.mechanisms": a bare "mechanisms" would make a second copy'
    )
