"""The published theory, one function per claim. Read `registry`, which has them, then `run`, which
examines them.

`papers` has the claims of five papers, `ours` those beyond them, `lemma` and `general` what both
cite; `EXPECTED.json` the verdicts found.
"""

if __name__ != "pufferproof.claims":
    raise ImportError(
        'import it as "pufferproof.claims": a bare "claims" would make a second copy of every class'
    )

from pufferproof.claims.document.finder import install

install()

NOTATION = {
    "P, Pr": "probability; P(w | s) is that of the output w given the secret s",
    "E": "expectation, where it is applied to a random variable",
    "epsilon, eps": "a level, in nats: e^epsilon bounds ratios of probabilities",
    "DP": "differential privacy; a level is asked for each two databases that differ in one record",
    "M": "a mechanism",
    "w": "an output of a mechanism",
    "D": "a database",
    "X": "the database as a random variable; X_i is its record number i, counted from 1",
    "s, t": "secrets, that is, sets of databases; (s, t) is an ordered pair of them",
    "theta, Theta": "a prior, that is, a law on databases; the set of priors",
}
"""What letters mean in every statement, unless its family says otherwise."""
