"""People, each with a sequence of labels: what top-K queries ask about. Read `people` first.

`fitting` makes a Markov chain of the steps that people take, `check_ins` and `activities` read the
files of two published data sets where somebody has them, and `drawn` makes people of the same sizes
where nobody has.
"""
