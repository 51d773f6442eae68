"""Lemma II.3 as repaired, and lemmas II.5, A.1 and A.2, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains.gaps import FAR, GAP, LOWEST, QUILT_WITHIN, TOLD
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP, IFF, NATURAL_LESS
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LAW
from pufferproof.claims.vocabulary.entries.quilts import minimal, segments, shown, tables
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    CHAINS,
    LEVEL_OF,
    MOVES,
    NOISY,
    Release,
)
from pufferproof.claims.vocabulary.probes.chains.gaps import (
    EDGES,
    SURVIVORS,
    chain_with_rate,
    hi,
    i,
    lo,
    low,
    n,
    pi,
    r,
)
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m, v, w
from pufferproof.claims.vocabulary.probes.quilts import chains as of_chains
from pufferproof.claims.vocabulary.probes.quilts import minimal as of_minimal
from pufferproof.claims.vocabulary.probes.quilts import shown as of_sets
from pufferproof.claims.vocabulary.probes.quilts import tables as of_tables
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.render import words
from pufferproof.claims.vocabulary.terms import Log, Term

BY_GAP = Proposition(
    "chains.Gap.quilt_by_gap",
    "A",
    [pi, m, P, low, r, n, lo, hi, i, v, w],
    [LOWEST(low, pi), GAP(pi, P, r), LAW(m), FAR(low, r, n, lo, hi, i)],
    QUILT_WITHIN(TOLD(low, r, n, lo, hi, i), m, P, n, lo, hi, i, v, w, A),
    chain_with_rate,
    EDGES,
    "A",
    SURVIVORS,
)

F = Fraction
Q, place, number = of_tables.Q, of_tables.i, of_tables.n
e, run, THETA = of_tables.e, of_tables.run, of_tables.theta


def _told(records: Term) -> Term:
    return tables.TOLD_BY(shown.SET_AS_QUILT(records), place, THETA, e, number, A)


LARGER_SET = Proposition(
    "quilts.Tables.larger_set",
    "A",
    [number, of_sets.R, of_sets.S, place, THETA, e],
    [shown.SUBSET(of_sets.S, of_sets.R), _told(of_sets.R)],
    _told(of_sets.S),
    of_sets.sets,
    decidable="A",
    survivors={
        "conclusion, R for S [set of records]": "true and weaker: it is the second hypothesis",
        "conclusion, n for i [told by a quilt]": "true and weaker: there is no X_n",
    },
)
NEAR_ALONE = {"A": 2, "n": 1, "theta": [[F(1, 2)] * 2], "i": 0, "roles": [0], "e": Log(F(1))}
EXTREMES: list[Instance] = [
    {
        **{"A": 2, "n": 2, "i": 0, "roles": [0, 0], "e": Log(F(1))},
        **{"theta": [[F(1), F(-1, 2), F(0), F(1, 2)]]},
        "run": Release(1, (0, 1, 1, 2), F(4), F(1, 2)),
    },
    {**NEAR_ALONE, "run": Release(100, (0, 101), F(100, 99) ** 100, F(99, 100))},
]
"""Weights that are no law, and a query that moves by more than 1, with nothing in the quilt."""
JOINT = Proposition(
    "quilts.Tables.joint_with_quilt",
    "A",
    [number, Q, place, THETA, run, e],
    [
        *(LAWS_ONLY(THETA), MOVES(run), tables.QUILT_OF(Q, place, THETA, number, A)),
        tables.TOLD_BY(Q, place, THETA, e, number, A),
        tables.HIDES(run, shown.NEARBY(Q, number), e),
    ],
    KEEPS(
        EXP(LEVEL_OF(run)),
        segments.TOGETHER(NOISY(run), shown.AWAY(Q, number, A)),
        segments.VALUES_OF(place, A, number),
        THETA,
    ),
    of_tables.any_laws,
    EXTREMES,
    decidable="A",
    survivors={
        "hypothesis 5, for some, not for all [noise hides]": "equivalent: it is one inequality",
        "conclusion, n for i [values of the record]": "true and weaker: there is no X_n",
    },
)

FACTORS = "superfluous: products of steps are separated, whatever the weights are"
SET, CLASS = of_minimal.S, of_chains.C
FORM = minimal.ONE_A_SIDE(SET, place, number)
MINIMAL_QUILTS = Proposition(
    "chains.Minimal.minimal_on_every_chain",
    "A",
    [number, place, SET],
    [minimal.TWO(A), NATURAL_LESS(place, number)],
    IFF(minimal.MINIMAL(SET, place, number, A), FORM),
    of_minimal.any_set,
    decidable="A",
    survivors={
        "hypothesis 1, for some, not for all [at least two members]": "equivalent: it is about one "
        "set",
    },
)
MINIMAL_PIECES = Proposition(
    "chains.Minimal.minimal_in_pieces",
    "A",
    [number, place, SET, CLASS],
    [CHAINS(CLASS), NATURAL_LESS(place, number)],
    IFF(minimal.MINIMAL_PIECE(SET, place, CLASS, number, A), FORM),
    of_minimal.on_any_weights,
    decidable="A",
    survivors={
        f"without: {words(CHAINS(CLASS))}": FACTORS,
        "hypothesis 1, for some, not for all [chains only]": FACTORS,
    },
)
