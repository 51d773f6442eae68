"""What planned releases of windows of records leak together.

`plan` reads a plan, its tables and programs, `schedule` has the answer: all together, each alone, and the `least`
factor on the noise, also of several groups of which one leaks most.
"""
