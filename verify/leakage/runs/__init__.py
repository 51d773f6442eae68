"""Many independent runs of a listed mechanism: their leakage (`repeated`), and the sums of positive parts that delta is
made of (`parts`), line after line of sets of counts; of runs that are too many to count, bounds by the account of
losses. How soon runs reveal a secret is in `revealing`.
"""
