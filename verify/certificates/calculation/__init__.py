"""Calculations: what the numbers of a counterexample come to, in a formula that two programs read.

A formula compares numbers, rows and tables of a counterexample: `largest_ratio(power(P, 2)) >
largest_ratio(P)`. `reading` parses it, `words` has what its words mean, twice: in exact fractions,
and in Coq; `values` evaluates it, and `writing` writes the file for Coq that computes it again.
"""
