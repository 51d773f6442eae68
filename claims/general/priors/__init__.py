"""What a class of priors asks of a mechanism: all product priors or all priors (`classes`), and
mixtures of priors (`mixtures`, `mixtures_of_two`, `dichotomy`).
"""
