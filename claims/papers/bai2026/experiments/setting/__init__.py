"""What the experiments are about: `sizes` of the data sets and the labels of places, and the
`rules` that smooth a chain and draw a ranking. `tables.json` has the tables as they are printed,
cell by cell; `cells` reads what a cell can stand for, the numbers that are rounded to its digits.
"""
