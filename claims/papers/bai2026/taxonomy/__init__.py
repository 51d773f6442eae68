"""Appendix A: the table of privacy definitions, row by row as frameworks or neighbour relations,
and whether each composes.
"""
