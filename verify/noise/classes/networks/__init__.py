"""Bounds over classes of networks: of rows between bounds (`intervals`), and of people who infect
their `contacts`, by elimination or by the law of few `people`.
"""

if __name__ != "pufferproof.verify.noise.classes.networks":
    raise ImportError(
        'import it as "pufferproof.verify.noise.classes.networks": a bare "networks" would make a second copy'
    )
