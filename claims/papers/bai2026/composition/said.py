"""Conditions that compose, each theorem said once."""

from dataclasses import replace

from pufferproof.claims.papers.bai2026.composition import drawn
from pufferproof.claims.vocabulary.entries.composition.conditions import (
    GEO,
    LEVEL_OF,
    MECHANISM_OF,
    MECHANISMS_OF,
    PRODUCT_OF_LEVELS,
    RELEASES,
    RUN_BY_RUN,
    ZERO_OR_ONE,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    EXP,
    IFF,
    IMPLIES,
    LENGTH,
    LEVEL_PLUS,
    LEVEL_TIMES,
    LN,
    NATURAL_EQUAL,
    NOTHING,
    ONE,
    at,
    each,
    every,
    total,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    INSIDE,
    KEEPS_AT,
    LAW,
    LIKELIHOOD,
    NONNEGATIVE,
    PROCESS,
    WEIGHTS,
    P,
)
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import (
    LEVEL,
    NUMBER,
    by_place,
    levelled,
    mechanism,
    member,
    runs,
    secret,
    sequence,
    table,
    weights,
)
from pufferproof.claims.vocabulary.terms import Sort, Term, letter

D, W, V, I = map(set_named, "DWVI")
b, u = letter("b", weights("D")), letter("u", weights("D"))
l, x, w, v, i = (letter(a, member(c)) for a, c in ("lD", "xD", "wW", "vV", "iI"))
M, K = letter("M", mechanism("D", "W")), letter("K", table("W", "V"))
H = replace(K, shown="H")
beta, E = letter("beta", weights("D")), letter("E", NUMBER)
cu, cv = letter("u", weights("D")), letter("v", weights("D"))
k = letter("k", NUMBER)
xs = letter("xs", by_place("I", "D"), "x")
betas, Es = letter("betas", table("I", "D"), "beta"), letter("Es", weights("I"), "E")
PAIR = Sort("(D -> W -> R) * R", "a mechanism with a ratio")
SIGN = "equivalent: a number is not negative if 101/100 of it is not"

MEANS = Proposition(
    "composition.Conditions.am_gm",
    "D",
    [b, u],
    [LAW(b), WEIGHTS(u)],
    GEO(b, at(u, l).under(l)) <= total(l, at(b, l) * at(u, l), D),
    drawn.numbers,
    survivors={"conclusion, without b_l": "true and weaker: no weight of a law is above 1"},
)


def meets(by: Term, level: Term, of: Term, where: Term, output: Term, over: Term) -> Term:
    """Return that a mechanism meets the condition of a database with some weights and a level."""
    mean = GEO(by, at(of, l, output).under(l))
    return every(output, at(of, where, output) <= level * mean, over)


LESS = "true and weaker: columns are not negative"


def _in_cone(column: Term) -> Term:
    return at(column, x) <= E * GEO(beta, at(column, l).under(l))


CONE = Proposition(
    "composition.Conditions.cone",
    "D",
    [beta, E, cu, cv, k, x],
    [
        LAW(beta),
        NOTHING() <= E,
        WEIGHTS(cu),
        WEIGHTS(cv),
        _in_cone(cu),
        _in_cone(cv),
        NOTHING() <= k,
    ],
    BOTH(
        at(cu, x) + at(cv, x) <= E * GEO(beta, (at(cu, l) + at(cv, l)).under(l)),
        k * at(cu, x) <= E * GEO(beta, (k * at(cu, l)).under(l)),
    ),
    drawn.columns,
    edges=drawn.COLUMNS,
    survivors={
        "hypothesis 2, 101/100 of the right side [at most]": SIGN,
        "hypothesis 7, 101/100 of the right side [at most]": SIGN,
        "without: 0 <= k": "superfluous: a mean with a factor that is not positive is 0 in Coq",
        "conclusion, without u_x": LESS,
        "conclusion, without v_x": LESS,
    },
)
z = letter("z", member("D"))
ONE_HOT_IS_DP = Proposition(
    "composition.Conditions.one_hot_is_dp",
    "D W",
    [beta, E, M, x, z],
    [LAW(beta), at(beta, z).equals(ONE()), LIKELIHOOD(M)],
    IFF(meets(beta, E, M, x, w, W), every(w, at(M, x, w) <= E * at(M, z, w), W)),
    drawn.one_hot,
    edges=drawn.ONE_HOTS,
)
INVARIANT = Proposition(
    "composition.Conditions.condition_survives",
    "D W V",
    [beta, E, M, K, x],
    [LIKELIHOOD(M), NOTHING() <= E, LAW(beta), NONNEGATIVE(K), meets(beta, E, M, x, w, W)],
    meets(beta, E, PROCESS(M, K), x, v, V),
    drawn.condition,
    edges=[drawn.MERGED],
    survivors={"hypothesis 2, 101/100 of the right side [at most]": SIGN},
)
INVARIANT_ONE_HOT = Proposition(
    "composition.Conditions.one_hot_survives",
    "I D W V",
    [xs, betas, Es, M, K],
    [
        LIKELIHOOD(M),
        every(i, LAW(at(betas, i)), I),
        every(i, ZERO_OR_ONE(at(betas, i)), I),
        NONNEGATIVE(K),
        every(i, meets(at(betas, i), at(Es, i), M, at(xs, i), w, W), I),
    ],
    every(i, meets(at(betas, i), at(Es, i), PROCESS(M, K), at(xs, i), v, V), I),
    drawn.condition,
    edges=[drawn.MERGED],
)

p, s, t = letter("p", weights("D")), letter("s", secret("D")), letter("t", secret("D"))
by = letter("beta", table("D", "D"))
levelled_, ME = letter("levelled", levelled("D", "W"), "M"), letter("ME", PAIR, "i")
Ms, N = letter("Ms", runs("D", "W"), "M"), letter("N", mechanism("D", "W"))
Ks, eps, C = letter("Ks", runs("W", "V"), "K"), letter("eps", LEVEL), letter("C", NUMBER)
ws = letter("ws", sequence("W", "a list of outputs in W"), "y")
vs = letter("ws", sequence("V", "a list of outputs in V"), "y")


def constraint(level: Term, of: Term) -> Term:
    """Return that a mechanism meets the conditions of all databases that are possible given s."""
    possible = NOTHING() < INSIDE(p, s, x)
    return every(x, IMPLIES(possible, meets(at(by, x), level, of, x, w, W)), D)


RUNS = [
    LAW(p),
    every(x, LAW(at(by, x)), D),
    each(ME, LIKELIHOOD(MECHANISM_OF(ME)), levelled_),
    each(ME, NOTHING() <= LEVEL_OF(ME), levelled_),
    each(ME, constraint(LEVEL_OF(ME), MECHANISM_OF(ME)), levelled_),
    every(
        l,
        (total(x, INSIDE(p, s, x) * at(by, x, l), D) * P(p, t)).equals(P(p, s) * INSIDE(p, t, l)),
        D,
    ),
]
LIKE = {
    "hypothesis 4, 101/100 of the right side [at most]": SIGN,
    "hypothesis 6, <= for = [equal]": "equivalent: both sides have the same sum over all l",
}
COUPLING = Proposition(
    "composition.Conditions.coupled_levels",
    "D W",
    [p, s, t, by, levelled_, ws],
    RUNS,
    KEEPS_AT(PRODUCT_OF_LEVELS(levelled_), p, RELEASES(MECHANISMS_OF(levelled_)), s, t, ws),
    drawn.pair,
    edges=drawn.PAIRS,
    survivors=LIKE,
)
COUPLING_PROCESSED = Proposition(
    "composition.Conditions.coupling_processed",
    "D W V",
    [p, s, t, by, levelled_, Ks, vs],
    [*RUNS, each(H, NONNEGATIVE(H), Ks), NATURAL_EQUAL(LENGTH(Ks), LENGTH(levelled_))],
    KEEPS_AT(PRODUCT_OF_LEVELS(levelled_), p, RELEASES(RUN_BY_RUN(levelled_, Ks)), s, t, vs),
    drawn.pair,
    edges=drawn.PAIRS,
    survivors=LIKE,
)
BOUNDED = Proposition(
    "composition.Conditions.nfc_runs",
    "D W",
    [p, s, t, by, eps, Ms, C, ws],
    [
        LAW(p),
        every(x, LAW(at(by, x)), D),
        each(N, LIKELIHOOD(N), Ms),
        each(N, constraint(EXP(eps), N), Ms),
        every(x, every(l, IMPLIES(NOTHING() < at(by, x, l), P(p, t) <= C * INSIDE(p, t, l)), D), D),
    ],
    KEEPS_AT(EXP(LEVEL_PLUS(LEVEL_TIMES(LENGTH(Ms), eps), LN(C))), p, RELEASES(Ms), s, t, ws),
    drawn.pair,
    edges=drawn.PAIRS,
)
