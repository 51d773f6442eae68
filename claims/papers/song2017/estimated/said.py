"""The Markov quilt mechanism with the estimates of Lemma II.3 in its scores, said once."""

from dataclasses import replace

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.papers.song2017.said import FAIR, FAR, STRONG, WEAK
from pufferproof.claims.vocabulary.entries.chains.mechanisms import (
    ESTIMATED,
    GAPS,
    LAWS_AT_REST,
    TWO_SIDED,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP, NATURAL_LESS, NOT, each
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    LEVEL_OF,
    LEVELS_OF,
    MOVES,
    NOISY,
    RELEASES,
    VALUES,
    Release,
)
from pufferproof.claims.vocabulary.probes.chains.gaps import (
    SELDOM,
    i,
    low,
)
from pufferproof.claims.vocabulary.probes.chains.mechanisms import C, few, rate, resting
from pufferproof.claims.vocabulary.probes.chains.powers import A
from pufferproof.claims.vocabulary.probes.quilts.chains import n, run, runs
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.terms import Term

F = Fraction
one = replace(run, name="one", shown="r")


def _one_record(*some: Release) -> Instance:
    """Return a fair bit with releases of it."""
    bit = ([F(1, 2), F(1, 2)], (FAIR.first, FAIR.steps[0]))
    return {
        **{"A": 2, "n": 1, "low": F(1, 2), "r": F(0), "class": [bit]},
        **{"run": some[0], "runs": [*some]},
    }


def _two_records(at: Instance, found: Release) -> Instance:
    """Return two records of the chain of an instance with a release of them."""
    drawn = {"n": 2, "class": [(at["pi"], (at["m"], at["P"]))], "run": found, "runs": [found]}
    return {**{name: at[name] for name in ("A", "low", "r")}, **drawn}


COUNTED = [2, 1, 1, 1, 0, 0, 1, 0, 0]
"""How many of two records have the first of three values."""
RECORDS = [
    _one_record(FAR),
    _one_record(WEAK, STRONG),
    _two_records(SELDOM, Release(1, COUNTED, F(19000), F(1, 1000))),
]
"""In the last one the first record has a score, the second one none."""


def _kept(level: Term, release: Term) -> Term:
    return KEEPS(EXP(level), release, VALUES(n, A), LAWS_AT_REST(C, n, A))


ESTIMATED_ONCE = Proposition(
    "chains.Mechanisms.estimated_quilt",
    "A",
    [n, C, low, rate, run],
    [GAPS(C, low, rate), MOVES(run), ESTIMATED(run, low, rate, n)],
    _kept(LEVEL_OF(run), NOISY(run)),
    resting,
    RECORDS,
    "A",
)
ESTIMATED_RUNS = Proposition(
    "chains.Mechanisms.estimated_quilts",
    "A",
    [n, C, low, rate, runs],
    [
        GAPS(C, low, rate),
        each(one, MOVES(one), runs),
        each(one, ESTIMATED(one, low, rate, n), runs),
    ],
    _kept(LEVELS_OF(runs), RELEASES(runs)),
    resting,
    RECORDS,
    "A",
)
UNSCORED = Proposition(
    "chains.Mechanisms.two_sided_alone",
    "A",
    [n, i, low, rate, run],
    [NATURAL_LESS(i, n)],
    NOT(TWO_SIDED(run, low, rate, n)),
    few,
    survivors={
        f"conclusion, {change} [scores by two-sided estimates]": "equivalent: the first record has "
        "no such quilt, whatever the numbers are"
        for change in ("101/100 of the right side", "s for l", "l for s")
    },
)
