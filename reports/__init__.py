"""Telling people: the command line, pages, plots and the pytest plugin. Read `cli` first;
`commands` has the table of them.

One room per subject of commands (`auditing`, `composition`, `correlation`, `redaction`, `proofs`),
`page` for the report, `console` for what all commands share, `schemas` for the shapes of their
answers.
"""

if __name__ != "pufferproof.reports":
    raise ImportError('import it as "pufferproof.reports": a bare "reports" would make a second copy of every class')
