"""What is true of the objects. Read `audit` first, then `leakage.ratio`, then the kernels.

`audit` answers for every kind of mechanism: `leakage` computes for listed ones, `sequences` and
`noise` for those too large to list, `losses` for many steps, `influence` what records tell of
others, and `programs` finds the laws of Python functions. `decision` is what all of them answer
to yes or no, `engines` how one of several algorithms is asked. `certificates` writes what a kernel
has accepted, `simulation` illustrates, `proof` holds arguments about formulas for the claims.
"""

if __name__ != "pufferproof.verify":
    raise ImportError('import it as "pufferproof.verify": a bare "verify" would make a second copy of every class')
