"""Claims of "Composition Properties of Inferential Privacy for Time-Series Data" (Song and
Chaudhuri, 2017).
"""
