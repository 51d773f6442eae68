"""Laws of the database: `records` and `laws` first; `tables` and `markov` are what most frameworks have,
networks are in `bayesian_network`, classes of chains in `chains`, laws of numbers in `continuous`.
"""
