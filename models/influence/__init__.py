"""How much a record says about others, along chains and networks: `chain` first; `box` for classes
of chains, `quilts` for Markov quilts.
"""
