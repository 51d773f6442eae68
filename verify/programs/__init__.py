"""Exact laws of Python programs that draw random numbers: `law` first, which runs a program once
per path. `generator` is what the program draws from, `draws` what it is given: linear forms over
independent draws. `paths` chooses a branch where a program compares draws and comes back for the
others; `region` says which branches are possible, `integrals` how probable a path is.
"""
