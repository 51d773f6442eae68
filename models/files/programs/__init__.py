"""Python that a caller trusts: a function that gives the row of a database, or a program that draws
from rng. Its signature decides:

| written | what it is |
|---|---|
| `f(database)` | a row: a dict of output -> probability |
| `f(database, rng)` | a program: rng stands for a `numpy.random.Generator` |
| `f(database, size, rng)` | a program that draws many outputs: it is called with size 1 |
| `Class(rng)` with `release(database)` | an object that remembers: each run makes a new one |

A parameter that is called rng and has a default, or goes by name only, is passed by name.

Read `program` first. `calling` says how code is called, `signatures` what it is, and `importing`
takes it from its module. Nothing is computed here: `pufferproof.verify.programs` finds the law of a
program.
"""
