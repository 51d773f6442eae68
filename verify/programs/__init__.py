"""Exact laws of Python programs that draw random numbers: `law` first, which runs a program once per path. `drawing` is
what the program is given, `paths` chooses a branch where it looks at a draw and comes back for the others, `regions`
says which branches are possible and how probable a path is, and `noise` when two outputs are the same. `agreement`
compares the draws of other libraries' objects with the laws that were read.
"""
