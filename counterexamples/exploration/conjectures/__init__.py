"""Conjectures about a family of frameworks: a closed form fitted to exact values, or a relation
that somebody guessed, tried on fresh members; what fails has its simplest counterexample.

Read first `quantities`, the exact values that a conjecture is about, then `fitting`, quotients of
polynomials by linear algebra over the rationals, and `trying`, fresh members and counterexamples.
`asked` reads a file that says what is tried, `relations` reads what
is said of a member, `stated` makes a statement that runs of it.
"""
