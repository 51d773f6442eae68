"""Where the draws of a path lie: `conditions` of a run, the `region` of half-spaces that they make,
and `integrals` over it.
"""
