"""The Markov quilt mechanism on classes of chains: one query, several, and several at one level."""

from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY, NEARLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    LENGTH,
    LEVEL_PLUS,
    LEVEL_TIMES,
    each,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LIKELIHOOD
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    CHAINS,
    LAWS,
    LEVEL_AT_MOST,
    LEVEL_OF,
    LEVELS_OF,
    MOVES,
    NOISY,
    RELEASES,
    SCORES,
    VALUES,
    ChainOf,
    Release,
)
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probes.foundations import dependence
from pufferproof.claims.vocabulary.probes.quilts.chains import A, C, drawn, eps, n, run, runs
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.terms import Log

F = Fraction


def family(draws: Draws) -> Instance:
    """Chains, and queries with noise that are 1-Lipschitz but for one in eight, with a level that
    is often the least for the scale; one first law in eight has a negative weight.
    """
    at = dict(drawn(draws, 8))
    if rarely(draws):
        chain: ChainOf = at["class"][0]
        first = [F(3, 2), F(-1, 2), *[F(0)] * (at["A"] - 2)]
        at["class"] = [chain._replace(first=first), *at["class"][1:]]
    return at


FAIR = ChainOf([F(1, 2), F(1, 2)], [[[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]])
FAR = Release(100, (0, 101), F(100, 99) ** 100, F(99, 100))
WEAK, STRONG = Release(1, (0, 1), F(4, 3), F(3, 4)), Release(1, (0, 1), F(3), F(1, 3))
EDGES = [
    {"A": 2, "n": 1, "class": [FAIR], "run": FAR, "runs": [FAR], "eps": Log(FAR.ratio)},
    {"A": 2, "n": 1, "class": [FAIR], "run": WEAK, "runs": [WEAK, STRONG], "eps": Log(F(4, 3))},
]
r = replace(run, name="one", shown="r")
GOOD = [CHAINS(C), each(r, MOVES(r), runs), each(r, SCORES(r, C, n, A), runs)]
ALONE = Proposition(
    "quilts.Quilts.one_query",
    "A",
    [n, C, run],
    [CHAINS(C), MOVES(run), SCORES(run, C, n, A)],
    KEEPS(EXP(LEVEL_OF(run)), NOISY(run), VALUES(n, A), LAWS(C, n, A)),
    family,
    EDGES,
    decidable="A",
)
SEVERAL = Proposition(
    "quilts.Quilts.several_queries",
    "A",
    [n, C, runs],
    GOOD,
    KEEPS(EXP(LEVELS_OF(runs)), RELEASES(runs), VALUES(n, A), LAWS(C, n, A)),
    family,
    EDGES,
    decidable="A",
)
AT_ONE_LEVEL = Proposition(
    "quilts.Quilts.queries_at_one_level",
    "A",
    [n, C, runs, eps],
    [*GOOD, each(r, LEVEL_AT_MOST(LEVEL_OF(r), eps), runs)],
    KEEPS(EXP(LEVEL_TIMES(LENGTH(runs), eps)), RELEASES(runs), VALUES(n, A), LAWS(C, n, A)),
    family,
    EDGES,
    decidable="A",
)

NOTHING: Instance = {
    **{"D": 2, "W": 2, "V": 1, "pairs": [(frozenset({0}), frozenset({1}))]},
    **{"priors": [[F(1, 2), F(1, 2)]], "E": Log(F(1)), "eps_A": Log(F(1)), "eps_B": Log(F(1))},
}
NEGATIVE: list[list[Fraction]] = [[F(-1, 200), F(1)]] * 2
JOINT = [[F(-1, 200), F(1)], [F(-1, 20), F(10)]]
SIGNED: list[Instance] = [
    {**NOTHING, "J": JOINT, "M": NEGATIVE, "N": [[F(1)], [F(10)]]},
    {**NOTHING, "W": 1, "V": 2, "J": JOINT, "M": [[F(1)], [F(10)]], "N": NEGATIVE},
    {
        **NOTHING,
        **{"D": 3, "W": 1, "pairs": [(frozenset({0, 1}), frozenset({2}))]},
        **{"priors": [[F(1), F(-1, 2), F(1, 2)]], "J": [[F(1, 2)], [F(0)], [F(0)]]},
        **{"M": [[F(0)], [F(1)], [F(0)]], "N": [[F(0)], [F(1)], [F(0)]]},
    },
]
"""Signs at which the levels do not add up: of a mechanism, or of a prior."""
J, M, N, Q, T = dependence.J, dependence.M, dependence.N, dependence.Q, dependence.T
a, b, E = dependence.a, dependence.b, dependence.E
NEAR_PRODUCT = Proposition(
    "quilts.Quilts.nearly_independent_releases",
    "D W~ V~",
    [a, b, E, J, M, N, Q, T],
    [
        LAWS_ONLY(T),
        LIKELIHOOD(M),
        LIKELIHOOD(N),
        NEARLY(E, J, M, N, Q, T),
        KEEPS(EXP(a), M, Q, T),
        KEEPS(EXP(b), N, Q, T),
    ],
    KEEPS(EXP(LEVEL_PLUS(LEVEL_PLUS(a, b), LEVEL_PLUS(E, E))), J, Q, T),
    dependence.drawn,
    SIGNED,
)
