"""Mechanisms and priors of other libraries, read exactly: `entry` first, then the module of a library.

`parameters` says what a number means and has tables of closed forms, `kernels` puts a mechanism on databases. No module
here imports the library it reads: its objects are told by the names of their classes, and what they hold is read as
numbers. What comes out is the mathematical mechanism, not the floating-point program that samples it.
"""

if __name__ != "pufferproof.models.mechanisms.adapters":
    raise ImportError(
        'import it as "pufferproof.models.mechanisms.adapters": a bare "adapters" would make a second copy'
    )
