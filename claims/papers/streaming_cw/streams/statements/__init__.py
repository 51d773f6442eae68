"""The claims of Section 2 as programs over short streams, and those of CW-privacy over small laws.

`sliding.py`: streams of bits with windows of one or two blocks, a mechanism, alternatives, and the
laws of outputs by listing every stream; Lemmas 1 and 2 and Theorem 4 use it too. `steps.py`: laws
of one step. `worlds.py`: coupled worlds. `layout.py`: rows, blocks and windows.
"""
