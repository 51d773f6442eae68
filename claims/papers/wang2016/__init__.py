"""Wang, Song and Chaudhuri, "Privacy-preserving Analysis of Correlated Data": the Wasserstein
and Markov Quilt mechanisms.
"""
