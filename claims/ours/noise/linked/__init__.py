"""Claims on noise as linked arguments: any noise and Laplace noise (`law`), windows of records,
plans that move mass, Gaussian noise on a line, where the largest ratio is (`attained`).
"""
