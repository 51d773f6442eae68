"""Statements as objects: one text of a theorem from which words, formula, program, near misses and
the proposition that Coq proves are made.

`kinds` and `terms` are typed terms over letters, `sorts` what letters can be, `entries` the
vocabulary, `render` words, LaTeX and Coq, `mutants` near misses, `proposition` the object,
`families` how instances are drawn, `probes` what ties an entry to Coq, `coq` what Coq says.
"""
