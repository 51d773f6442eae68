"""The Markov quilt mechanism, the quilts of a chain, and the histogram of its records."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.histograms import (
    DIFFER_ONCE,
    DISTANCE_L1,
    TWO_OVER,
)
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP, NATURAL_LESS, NEXT
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    CHAINS,
    LEVEL_OF,
    MOVES,
    NOISY,
    VALUES,
    ChainOf,
    Release,
)
from pufferproof.claims.vocabulary.entries.quilts.tables import (
    AROUND,
    ON_CHAIN,
    QUILTS_OF,
    QUILTS_SCORE,
)
from pufferproof.claims.vocabulary.probes.chains import histograms
from pufferproof.claims.vocabulary.probes.chains.histograms import x, y
from pufferproof.claims.vocabulary.probes.quilts import tables
from pufferproof.claims.vocabulary.probes.quilts.tables import A, C, S, hi, i, lo, n, run, theta
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
FAIR, EMPTY = [F(1, 2), F(1, 2)], (0, [0])
NO_LAW = {
    **{"A": 2, "n": 2, "theta": [[F(1), F(-1, 2), F(0), F(1, 2)]]},
    **{"run": Release(1, (0, 1, 1, 2), F(4), F(1, 2)), "searched": [(0, [0, 0]), (1, [0, 0])]},
}
FAR = Release(100, (0, 101), F(100, 99) ** 100, F(99, 100))
MECHANISM = Proposition(
    "quilts.Tables.searched_quilts",
    "A",
    [n, S, theta, run],
    [LAWS_ONLY(theta), MOVES(run), QUILTS_OF(S, theta, n, A), QUILTS_SCORE(S, run, theta, n, A)],
    KEEPS(EXP(LEVEL_OF(run)), NOISY(run), VALUES(n, A), theta),
    tables.any_laws,
    [NO_LAW, {"A": 2, "n": 1, "theta": [FAIR], "run": FAR, "searched": [EMPTY]}],
    decidable="A",
)
FAIR_CHAIN = ChainOf(FAIR, [[FAIR, FAIR]])
ALSO = "true and weaker: more nearby records, and a quilt of X_i as well"
OTHER = "true and weaker: the statement for another number of records"
PRODUCTS = (
    "superfluous: independence is multiplied out, and holds of any weights that are products of "
    "steps"
)
ON_CHAINS = Proposition(
    "quilts.Tables.quilts_around",
    "A",
    [n, C, lo, hi, i],
    [CHAINS(C), NATURAL_LESS(lo, NEXT(i)), NATURAL_LESS(i, hi)],
    ON_CHAIN(AROUND(lo, hi), i, C, n, A),
    tables.quilts,
    [{"A": 2, "n": 1, "class": [FAIR_CHAIN], "lo": 0, "hi": 3, "i": 1}],
    decidable="A",
    survivors={
        "without: the first weights and the rows of the steps of every chain in C are laws": (
            PRODUCTS
        ),
        "hypothesis 1, for some, not for all [chains only]": PRODUCTS,
        "conclusion, h + 1 for h [around a record]": ALSO,
        "conclusion, i for l [around a record]": "true and weaker: fewer nearby records, and a "
        "quilt of X_i as well",
        "conclusion, l for i [quilt on a chain]": "true and weaker: X_l is near as well",
        **{
            f"conclusion, {other} for n [quilt on a chain]": OTHER
            for other in ("n + 1", "l", "h", "i")
        },
    },
)
LIPSCHITZ = Proposition(
    "chains.Histograms.histogram_lipschitz",
    "A",
    [n, x, y],
    [DIFFER_ONCE(x, y)],
    DISTANCE_L1(*histograms.BOTH) <= TWO_OVER(n),
    histograms.two_tables,
    decidable="A",
    survivors={
        "hypothesis 1, for some, not for all [differ at most once]": "equivalent: one comparison",
        **{
            f"conclusion, {each} [frequencies]": "true and weaker: both histograms are the same"
            for each in ("y for x", "x for y")
        },
    },
)
