"""What the experiments are about: `sizes` of the data sets and the labels of places, and the
`rules` that smooth a chain and draw a ranking.
"""
