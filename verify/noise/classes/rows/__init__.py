"""The worst chains of a box, of any number of values: `search`, with enclosures over cells of matrices of what outputs
tell along the decision diagram of the mechanism (`diagram`). `bound` answers for a framework, and names a chain.
"""
