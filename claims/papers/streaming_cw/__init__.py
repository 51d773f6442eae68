"""Claims of the paper "Composition Theorem for streaming CW-privacy" (sections 1 and 2; authors
not given in the text).
"""
