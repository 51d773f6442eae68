"""What mechanisms leak under classes of Markov chains: `ends` first, which bounds noisy numbers of
two-valued records to 1e-6 by `search`, with the enclosures of `steps`, and by `turning` where
values tend to change, with those of `bridges`; networks of bits that attract one another are as
simple (`attractive`). `bounds` is for every other mechanism and for more values: by quilts, and by
branch and bound over matrices (`rows`).
"""
