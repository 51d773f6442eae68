"""What a bound of ratios becomes as one record is eliminated, said once."""

from collections.abc import Iterable
from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition.bounds import inner
from pufferproof.claims.vocabulary.entries.composition.cones import GROW, ONE_SIDE, RAY, rays_of
from pufferproof.claims.vocabulary.entries.foundations.logic import at, every, total
from pufferproof.claims.vocabulary.entries.foundations.promise import NONNEGATIVE
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import member, table, tables, weights
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
U, X, Y = set_named("U"), set_named("X"), set_named("Y")
COLUMN = replace(tables("U", "X", "Y"), words="a real function on U, X and Y", meaning="")
rj, ry = letter("rj", table("U", "U"), "R"), letter("ry", table("Y", "Y"), "C")
B = letter("B", table("U", "U"))
p, h, law = letter("p", COLUMN), letter("h", COLUMN), letter("law", table("X", "Y"), "p")
r = letter("r", weights("Y"))
u, v, x = letter("u", member("U")), letter("v", member("U")), letter("x", member("X"))
y, a, b, c = (letter(name, member("Y")) for name in "yabc")


Rows = list[list[Fraction]]
Columns = list[Rows]


def eliminated(draws: Draws) -> Instance:
    """Two values u, one or two x, one to three y, laws p and columns h, often products, with the
    least bounds, or close to them; numbers are now and then negative.
    """
    places = range(1 + draws.below(2))
    size = draws.among([1, 2, 2, 2, 3])
    p = [[[*draws.law(size)] for _ in places] for _ in "uv"]
    h = _columns(draws, len(places), size)
    if rarely(draws):
        p[draws.below(2)][0][draws.below(size)] = draws.among([F(-1, 200), F(-2)])
    if rarely(draws):
        h = [[[F(-1, 200)] * size for _ in places] for _ in "uv"]
    elif rarely(draws):
        h[draws.below(2)][0][draws.below(size)] = F(-1, 2)
    rows = [each for rows in h for each in rows]
    ry = [[_least((each[a], each[b]) for each in rows) for b in range(size)] for a in range(size)]
    rj = [
        [_least(z for x in places for z in zip(h[u][x], h[v][x])) for v in (0, 1)] for u in (0, 1)
    ]
    if rarely(draws):
        ry = [[each * draws.among([*CLOSE]) for each in row] for row in ry]
    rays = [[F(each) for each in ray] for ray in rays_of(ry)]
    means = [[[inner(p[u][x], ray) for ray in rays] for x in places] for u in (0, 1)]
    B = [
        [_least(z for x in places for z in zip(means[u][x], means[v][x])) for v in (0, 1)]
        for u in (0, 1)
    ]
    place = draws.among([rj, B])
    place[0][1] *= draws.among([*CLOSE])
    return {"U": 2, "X": len(places), "Y": size, "rj": rj, "ry": ry, "B": B, "p": p, "h": h}


def _columns(draws: Draws, places: int, size: int) -> Columns:
    some = [F(1), F(1, 3), F(1, 2), F(2), F(3)]
    if draws.whether():
        one = [draws.among(some) for _ in range(size)]
        rates = [[draws.among(some) for _ in range(places)] for _ in "uv"]
        return [[[rate * each for each in one] for rate in row] for row in rates]
    return [[[draws.among(some) for _ in range(size)] for _ in range(places)] for _ in "uv"]


def _least(pairs: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the least bound of quotients."""
    return max((a / b if b > 0 else F(3) for a, b in pairs), default=F(1))


def beside(draws: Draws) -> Instance:
    """As above, with laws that do not depend on u."""
    found = dict(eliminated(draws))
    return {**found, "law": found["p"][0]}


def rays(draws: Draws) -> Instance:
    """Two to four values, bounds of ratios, mostly with the triangle inequality or close to it, and
    a function that is mostly an extreme ray.
    """
    size = draws.among([2, 3, 3, 4])
    some = [F(1), F(1, 2), F(2), F(3), F(3, 2)]
    found = [[F(1) if i == j else draws.among(some) for j in range(size)] for i in range(size)]
    if draws.below(4):
        for j in range(size):
            for i in range(size):
                found[i] = [min(old, found[i][j] * new) for old, new in zip(found[i], found[j])]
    if rarely(draws):
        i = draws.below(size)
        found[i] = [each * F(201, 200) for each in found[i]]
        found[i][i] = F(1)
    known = rays_of(found)
    r = [F(each) for each in draws.among(known)] if known else [F(0)] * size
    if rarely(draws):
        r[draws.below(size)] *= 2
    return {"Y": size, "ry": found, "r": r}


def _instance(h: Columns, p: Columns, ry: Rows, **bounds: Rows) -> Instance:
    """Return an instance with the bounds R and B; 1 where they are not given."""
    ones = [[F(1)] * len(h) for _ in h]
    return {
        **{"U": len(h), "X": len(h[0]), "Y": len(h[0][0]), "h": h, "p": p, "law": p[0], "ry": ry},
        **{"rj": ones, "B": ones, **bounds},
    }


SMALL, SOME, CERTAIN = F(-1, 200), [F(1), F(2)], [[F(1), F(0)], [F(0), F(1)]]
ONES, TO_TWO = [[F(1), F(1)], [F(1), F(1)]], [[F(1), F(1)], [F(2), F(1)]]
EDGES = [
    _instance(  # a weight below 0
        [[[F(1), F(1, 500)]], [[F(1), F(1, 1000)]]],
        [[[SMALL, F(1)]], [[F(1), F(0)]]],
        [[F(1), F(1000)], [F(1, 500), F(1)]],
        rj=[[F(1), F(2)], [F(1), F(1)]],
        B=[[F(1), F(-3, 1000)], [F(-400), F(1)]],
    ),
    _instance(  # a column below 0 at u, and not at v
        [[[SMALL], [F(0)]], [[F(1)], [F(0)]]],
        [[[F(1)], [F(1)]]] * 2,
        [[F(1)]],
        rj=[[F(1), SMALL], [F(-200), F(1)]],
        B=[[F(5, 4)] * 2] * 2,
    ),
    _instance([[[F(1), F(1)]], [[F(1), F(1, 2)]]], [[CERTAIN[1]]] * 2, [[F(1), F(2)], ONES[0]]),
    _instance(  # only h at the first of three values is in the cone
        [[[F(1), F(1)]], [SOME], [SOME]],
        [[CERTAIN[0]], [CERTAIN[1]], [CERTAIN[0]]],
        ONES,
        rj=[[F(1)] * 3, [F(2), F(1), F(1)], [F(2), F(1), F(1)]],
    ),
    _instance(  # only h at the first x is in the cone
        [[[F(1), F(1)], SOME]] * 2, [CERTAIN, [CERTAIN[0], CERTAIN[0]]], ONES
    ),
    _instance([[SOME]] * 2, [[CERTAIN[1]], [CERTAIN[0]]], TO_TWO),  # B bounds one of two rays
    _instance([[[F(1)]]] * 2, [[[F(3)]]] * 2, [[F(1)]]),  # weights that are no law
]
ALMOST = {
    "Y": 3,
    "r": [F(1)] * 3,
    "ry": [[F(1), F(1), F(201, 200)], [F(2), F(1), F(1)], [F(2), F(2), F(1)]],
}
"""Bounds within 1/100 of the triangle inequality, and a ray with a value on both sides."""


def _everywhere(body: Term, *bound: Term) -> Term:
    for each in reversed(bound):
        body = every(each, body, set_named(str(each.kind)))
    return body


def _mean(of: Term, column: Term) -> Term:
    return total(y, at(of, x, y) * at(column, x, y), Y)


GROWS = _everywhere(at(h, u, x, y) <= at(rj, u, v) * at(h, v, x, y), u, v, x, y)
IN_CONE = _everywhere(at(h, u, x, a) <= at(ry, a, b) * at(h, u, x, b), u, x, a, b)
ELIMINATED = Proposition(
    "noise.Elimination.one_record",
    "U X Y",
    [rj, ry, B, p, h],
    [
        every(u, NONNEGATIVE(at(p, u)), U),
        every(u, NONNEGATIVE(at(h, u)), U),
        GROWS,
        IN_CONE,
        _everywhere(GROW(ry, at(p, u, x), at(p, v, x), at(B, u, v)), u, v, x),
    ],
    _everywhere(
        _mean(at(p, u), at(h, u)) <= at(rj, u, v) * (at(B, u, v) * _mean(at(p, v), at(h, v))),
        u,
        v,
        x,
    ),
    eliminated,
    EDGES,
)
BESIDE = Proposition(
    "noise.Elimination.beside_the_record",
    "U X Y",
    [rj, law, h],
    [NONNEGATIVE(law), GROWS],
    _everywhere(_mean(law, at(h, u)) <= at(rj, u, v) * _mean(law, at(h, v)), u, v, x),
    beside,
    EDGES[-1:],
)
ONE_SIDED = Proposition(
    "noise.Elimination.rays_from_one_side",
    "Y",
    [ry, r],
    [_everywhere(at(ry, a, c) <= at(ry, a, b) * at(ry, b, c), a, b, c), RAY(ry, r)],
    ONE_SIDE(ry, r),
    rays,
    [ALMOST],
)
