"""The published theory, one function per claim. Read `registry`, which has them, then `run`, which
examines them.

`papers` has the claims of five papers, `ours` those beyond them, `lemma` and `general` what both
cite; `EXPECTED.json` the verdicts found.
"""

if __name__ != "pufferproof.claims":
    raise ImportError('import it as "pufferproof.claims": a bare "claims" would make a second copy of every class')

from pufferproof.claims.document.finder import install

install()
