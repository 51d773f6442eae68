"""The Markov quilt mechanism on classes of chains: one query, several, and several at one level."""

from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.papers.song2017.drawn import EXTREME, two_segments
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY, NEARLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    LENGTH,
    LEVEL_PLUS,
    LEVEL_TIMES,
    NATURAL_LESS,
    NEXT,
    each,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LIKELIHOOD, P
from pufferproof.claims.vocabulary.entries.quilts import segments, tables
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
from pufferproof.claims.vocabulary.probes.quilts import segments as sides
from pufferproof.claims.vocabulary.probes.quilts import tables as of_tables
from pufferproof.claims.vocabulary.probes.quilts.chains import A, C, drawn, eps, n, run, runs
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL
from pufferproof.claims.vocabulary.terms import Log, Term, letter

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

LAW = segments.LAW_OF_CHAIN(sides.theta, n)
LEFT, RIGHT, HERE = sides.s, sides.u, segments.VALUE_IS(sides.t, sides.v, A, n)
MARKOV = Proposition(
    "quilts.Segments.sides_given_record",
    "A",
    [n, sides.theta, sides.t, sides.v, LEFT, RIGHT],
    [segments.UP_TO(sides.t, LEFT, A, n), segments.FROM(sides.t, RIGHT, A, n)],
    (P(LAW, segments.MEET(LEFT, segments.MEET(RIGHT, HERE))) * P(LAW, HERE)).equals(
        P(LAW, segments.MEET(LEFT, HERE)) * P(LAW, segments.MEET(RIGHT, HERE))
    ),
    sides.sides,
    decidable="A",
)

T1, T2, T3, T4 = (letter(name, NATURAL) for name in ("T1", "T2", "T3", "T4"))
ALICE, BOB = letter("M", segments.reader("A", "W")), letter("N", segments.reader("A", "V"))
LEVEL_A, LEVEL_B, f, g = (letter(name, LEVEL) for name in ("eps_A", "eps_B", "f", "g"))


def _segment(first: Term, last: Term) -> Term:
    return segments.VALUES_IN(first, last, A, n)


FEWER = "true and weaker: about no other pairs of secrets"
BEYOND = "equivalent: records beyond a segment tell of it through its last one alone"
PLACE = "[values of the records of a segment]"
LARGE = "true and weaker: a level of eps_A + eps_B for secrets of this segment"


def other_ends(reason: str, ends: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {
        f"conclusion, {other} for {own} {PLACE}": reason
        for own, others in ends.items()
        for other in others
    }


SHORTER = other_ends(
    FEWER,
    {
        "T1": ("T1 + 1", "n", "T2", "T3", "T4"),
        "T2": ("T1",),
        "T3": ("T3 + 1", "n", "T4"),
        "T4": ("T1", "T2", "T3"),
    },
)
WEAKER = {
    **SHORTER,
    "conclusion, eps_B for f [level of both segments]": LARGE,
    "conclusion, eps_A for g [level of both segments]": LARGE,
}
EQUIVALENT = {
    **other_ends(BEYOND, {"T4": ("T4 + 1", "n")}),
    "hypothesis 2, <= for < [less, of natural numbers]": "superfluous: a record tells all of "
    "itself, so that T2 = T3 has a finite influence only where the record is certain",
}


IN_ORDER = [
    *(NATURAL_LESS(T1, NEXT(T2)), NATURAL_LESS(T2, T3), NATURAL_LESS(T3, NEXT(T4))),
    *(NATURAL_LESS(T4, n), CHAINS(C), LIKELIHOOD(ALICE), LIKELIHOOD(BOB)),
    *(segments.READS(T1, T2, ALICE, A, n), segments.READS(T3, T4, BOB, A, n)),
]
KEPT = [
    KEEPS(EXP(LEVEL_A), ALICE, _segment(T1, T2), LAWS(C, n, A)),
    KEEPS(EXP(LEVEL_B), BOB, _segment(T3, T4), LAWS(C, n, A)),
]


def _both_keep(level: Term) -> Term:
    pair, secrets = segments.TOGETHER(ALICE, BOB), (_segment(T1, T2), _segment(T3, T4))
    return KEEPS(EXP(level), pair, segments.EITHER(*secrets), LAWS(C, n, A))


PARALLEL = Proposition(
    "quilts.Segments.parallel_segments",
    "A W~ V~",
    [n, T1, T2, T3, T4, C, ALICE, BOB, LEVEL_A, LEVEL_B, f, g],
    [
        *IN_ORDER,
        *(segments.TOLD(f, C, T2, T3, n, A), segments.TOLD(g, C, T3, T2, n, A)),
        *KEPT,
    ],
    _both_keep(segments.OF_BOTH(LEVEL_A, LEVEL_B, f, g)),
    two_segments,
    EXTREME,
    decidable="A",
    survivors=WEAKER | EQUIVALENT,
)
ANY_RECORD = {
    **other_ends(
        "equivalent: given any record what lies on its sides is independent, and each side tells "
        "of it at most its level",
        {"T2": ("T2 + 1", "n", "T3", "T4"), "T3": ("T1", "T2"), "T4": ("T4 + 1", "n")},
    ),
    "hypothesis 2, <= for < [less, of natural numbers]": "superfluous: given a record that both "
    "read, the releases are independent",
}
PARALLEL_LEVELS = Proposition(
    "quilts.Segments.parallel_levels",
    "A W~ V~",
    [n, T1, T2, T3, T4, C, ALICE, BOB, LEVEL_A, LEVEL_B],
    [*IN_ORDER, *KEPT],
    _both_keep(LEVEL_PLUS(LEVEL_A, LEVEL_B)),
    two_segments,
    EXTREME,
    decidable="A",
    survivors=SHORTER | ANY_RECORD,
)

Q, i, m, e, THETA = of_tables.Q, of_tables.i, of_tables.m, of_tables.e, of_tables.theta
NO_LAW = {
    **{"A": 2, "n": 2, "V": 1, "N": [[F(1)]] * 4, "theta": [[F(1), F(-1, 2), F(0), F(1, 2)]]},
    **{"run": Release(1, (0, 1, 1, 2), F(4), F(1, 2)), "i": 0, "roles": [0, 0], "m": 2},
    "e": Log(F(1)),
}
ONE_RECORD = {
    "A": 2,
    "n": 1,
    "theta": [[F(1, 2)] * 2],
    "i": 0,
    "roles": [0],
    "m": 1,
    "e": Log(F(1)),
}
EXTREMES: list[Instance] = [
    NO_LAW,
    {**ONE_RECORD, "V": 2, "N": [[F(-1, 200), F(1)]] * 2, "run": Release(1, (0, 1), F(2), F(1, 2))},
    {**ONE_RECORD, "V": 1, "N": [[F(1)]] * 2, "run": FAR},
]
ANY_QUILT = Proposition(
    "quilts.Tables.any_quilt",
    "A V~",
    [n, Q, i, THETA, run, e, m, of_tables.N],
    [
        *(LAWS_ONLY(THETA), LIKELIHOOD(of_tables.N), tables.QUILT_OF(Q, i, THETA, n, A)),
        *(tables.TOLD_BY(Q, i, THETA, e, n, A), tables.MOVES_NEAR(Q, run, m, A, n)),
        *(tables.READS_AWAY(Q, of_tables.N, A, n), tables.HIDES(run, m, e)),
    ],
    KEEPS(
        EXP(LEVEL_OF(run)),
        segments.TOGETHER(NOISY(run), of_tables.N),
        segments.VALUES_OF(i, A, n),
        THETA,
    ),
    of_tables.any_laws,
    EXTREMES,
    decidable="A",
    survivors={
        "conclusion, n for i [values of the record]": FEWER,
        "hypothesis 7, for some, not for all [noise hides]": "equivalent: it is one inequality",
    },
)
