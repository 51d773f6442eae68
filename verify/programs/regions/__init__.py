"""Where the draws of a path lie: the `region` of half-spaces that the conditions of a run make, and `integrals` over
it.
"""
