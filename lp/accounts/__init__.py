"""From what an accountant says of one record to a Pufferfish promise: the worst case over all
mechanisms that keep (epsilon, delta) points, or are Gaussian private, per record. Read
`guarantees` first, what is said of one record; `flips` is the program over databases, `windows`
encloses long chains, and `worst` asks for all priors and pairs.
"""
