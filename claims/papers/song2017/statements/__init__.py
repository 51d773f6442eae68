"""The claims as programs over short chains, small mechanisms and outputs at which Laplace noise has
its extremes.

`quilts.py`: which sets are quilts. `influence.py`: quotients of sums, one quilt and several.
`segments.py`: two mechanisms on two segments. `noise.py`: Laplace noise and the Markov Quilt
Mechanism, `runs.py` several runs of it, `far.py` two of them on far segments. `bounds.py`: Lemma
II.3, with exponentials between fractions. `printed.py` and `twice.py`: the two-release
counterexample. `releases.py`: composition without chains.
"""
