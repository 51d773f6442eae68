"""What mechanisms leak under classes of Markov chains: `ends` first, which bounds noisy numbers of two-valued records
to 1e-6 by the search of `steps`, and by the bridges of `outputs` where values tend to change. `bounds` is for every
other mechanism and for more values, networks of bits that attract one another among them: by quilts, and by branch and
bound over matrices (`rows`).
"""
