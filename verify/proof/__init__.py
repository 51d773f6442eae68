"""Arguments and what they prove: `argument` first, then `implication`; `triviality` refuses what
decides nothing.
"""
