"""Sections of theory as plain-text documents: what a `.claims` file holds, and how it is read.

    # Two numbers and their squares

    letters:
      a, b: two numbers

    ## own.means | Section 1 | lemma

    if: a >= b
    then: 2*a*b <= a^2 + b^2
    why: (a - b)^2 is not negative.

Read `parts.py` first, which says what a document has, then `reader.py`, `writer.py`, its inverse,
and `module.py`, which makes a Python module of a document; `finder.py` lets Python import it.
`statements.py` has all of this for blocks that state an object for Coq.
`arguments.py` reads and writes linked arguments, and `linking.py` makes calls of them.
"""
