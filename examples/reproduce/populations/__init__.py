"""What people record. Read `people` first: people, each with a sequence of labels, which top-K
queries ask about.

`fitting` makes a Markov chain of the steps that people take, `check_ins` and `activities` read the
files of published data sets where somebody has them (`check_in_files` line by line, `samples` by
skimming gigabytes), and `drawn` makes people of the same sizes
where nobody has.
"""
