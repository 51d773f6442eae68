"""How much a record says about others, along chains and networks: `chain` first; `curves` for what
is left when the best records are hidden, `box` for classes of chains, `quilts` for Markov quilts.
"""
