"""Programs that bound a pair of columns, said once."""

from pufferproof.claims.ours.worst.rays.said import drawn
from pufferproof.claims.vocabulary.entries.composition.bounds import SAME
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    NOTHING,
    ONE,
    at,
    every,
    total,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import NONNEGATIVE, WEIGHTS
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, table, weights
from pufferproof.claims.vocabulary.terms import Term, letter

D, I, J = map(set_named, "DIJ")
x, y = letter("x", member("D")), letter("y", member("D"))
i, j = letter("i", member("I")), letter("j", member("J"))
A, B = letter("A", table("I", "D")), letter("B", table("J", "D"))
u, v, r, mu, nu = (letter(name, weights("D")) for name in ("u", "v", "r", "mu", "nu"))
t, L, W = letter("t", NUMBER), letter("L", NUMBER), letter("W", table("D", "D"))
S, B1, B2 = letter("S", weights("I")), letter("B", table("I", "D")), letter("C", table("I", "D"))


def _joint(law: Term, first: Term, second: Term) -> Term:
    return total(x, at(law, x) * (first * second), D)


def _all(*parts: Term) -> Term:
    first, *rest = parts
    return BOTH(first, _all(*rest)) if rest else first


SCALED = t * at(u, x)
DENOMINATOR = _joint(nu, at(r, x), at(u, x))
AT_0 = "equivalent: the right side is 0"
NO_SCALE = "equivalent: a number is not negative if 99/100 or 101/100 of it is not"
SCALING = Proposition(
    "composition.Bounds.scaled_column",
    "I D",
    [A, u, r, mu, nu, t],
    [
        WEIGHTS(u),
        every(i, total(x, at(A, i, x) * at(u, x), D) <= NOTHING(), I),
        NOTHING() < DENOMINATOR,
        (t * DENOMINATOR).equals(ONE()),
    ],
    _all(
        every(x, NOTHING() <= SCALED, D),
        every(i, total(x, at(A, i, x) * SCALED, D) <= NOTHING(), I),
        _joint(nu, at(r, x), SCALED).equals(ONE()),
        (_joint(mu, at(r, x), SCALED) * DENOMINATOR).equals(_joint(mu, at(r, x), at(u, x))),
    ),
    drawn.program,
    survivors={
        "hypothesis 2, 101/100 of the right side [at most]": AT_0,
        "hypothesis 3, <= for < [less]": "superfluous: the product of t and 0 is not 1",
        "conclusion, 99/100 of the right side [at most]": NO_SCALE,
        "conclusion, 99/100 of the right side [at most] (2)": AT_0,
        "conclusion, without t": "true and weaker: it is a hypothesis",
        "conclusion, without u_x": "true and weaker: the scale is positive",
        "conclusion, without t (2)": "true and weaker: it is a hypothesis",
    },
)
FEASIBLE = Proposition(
    "composition.Bounds.relaxation",
    "I J D",
    [A, B, mu, nu, u, v, W],
    [
        WEIGHTS(u),
        WEIGHTS(v),
        every(i, total(x, at(A, i, x) * at(u, x), D) <= NOTHING(), I),
        every(j, total(y, at(B, j, y) * at(v, y), D) <= NOTHING(), J),
        every(x, every(y, at(W, x, y).equals(at(u, x) * at(v, y)), D), D),
    ],
    _all(
        NONNEGATIVE(W),
        every(i, every(y, total(x, at(A, i, x) * at(W, x, y), D) <= NOTHING(), D), I),
        every(j, every(x, total(y, at(B, j, y) * at(W, x, y), D) <= NOTHING(), D), J),
        every(
            i,
            every(
                j,
                NOTHING() <= total(x, at(A, i, x) * total(y, at(B, j, y) * at(W, x, y), D), D),
                J,
            ),
            I,
        ),
        total(x, at(mu, x) * at(W, x, x), D).equals(_joint(mu, at(u, x), at(v, x))),
        total(x, at(nu, x) * at(W, x, x), D).equals(_joint(nu, at(u, x), at(v, x))),
    ),
    drawn.two_columns,
    survivors={
        "hypothesis 3, 101/100 of the right side [at most]": AT_0,
        "hypothesis 4, 101/100 of the right side [at most]": AT_0,
        "conclusion, 99/100 of the right side [no entry negative]": NO_SCALE,
        "conclusion, 99/100 of the right side [at most]": AT_0,
        "conclusion, 99/100 of the right side [at most] (2)": AT_0,
        "conclusion, 99/100 of the right side [at most] (3)": NO_SCALE,
    },
)
BOUND = Proposition(
    "composition.Bounds.identities",
    "I D",
    [L, mu, nu, S, B1, B2, u, v],
    [
        WEIGHTS(u),
        WEIGHTS(v),
        WEIGHTS(S),
        every(i, NOTHING() <= total(x, at(B1, i, x) * at(u, x), D), I),
        every(i, NOTHING() <= total(x, at(B2, i, x) * at(v, x), D), I),
        every(
            x,
            every(
                y,
                total(i, at(S, i) * (at(B1, i, x) * at(B2, i, y)), I) + SAME(x, y) * at(mu, x)
                <= SAME(x, y) * (L * at(nu, x)),
                D,
            ),
            D,
        ),
    ],
    _joint(mu, at(u, x), at(v, x)) <= L * _joint(nu, at(u, x), at(v, x)),
    drawn.combined,
    survivors={
        "hypothesis 4, 101/100 of the right side [at most]": NO_SCALE,
        "hypothesis 5, 101/100 of the right side [at most]": NO_SCALE,
    },
)
