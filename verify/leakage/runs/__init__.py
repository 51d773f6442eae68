"""Many independent runs of a listed mechanism: their leakage (`repeated`), and the sums of positive
parts that delta is made of (`parts`), line after line of sets of counts (`lines`).
"""
