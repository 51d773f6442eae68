"""What mechanisms leak under classes of Markov chains: `ends` first, which bounds noisy numbers of
two-valued records to 1e-6 by `search`, with the enclosures of `steps`. `bounds` is for every other
mechanism: by quilts, and by trees of `histories` of few databases.
"""
