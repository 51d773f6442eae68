"""Exact numbers: `grammar` reads and writes them, `level` is e^epsilon, `exponential_sums` compares
sums of exponentials.
"""
