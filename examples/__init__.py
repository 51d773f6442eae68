"""Frameworks and mechanisms that people can run today: one folder per example, all written by
`build.py`.
"""

if __name__ != "pufferproof.examples":
    raise ImportError(
        'import it as "pufferproof.examples": a bare "examples" would make a second copy of every '
        "class"
    )
