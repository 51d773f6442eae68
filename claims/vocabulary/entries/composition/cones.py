"""Extreme rays: what they span, and of functions whose ratios are bounded the equations that give
them: RaysSpan.v and Elimination.v.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.bounds import inner
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, Law, Rows
from pufferproof.claims.vocabulary.terms import entry

RATIOS = "'D -> 'D -> R"


def rays_of(R: Rows) -> list[tuple[int, ...]]:
    """Return the extreme rays of the cone of all f >= 0 with f(a) <= R(a, b) f(b)."""
    values = range(len(R))
    rows = [[(x == a) - R[a][b] * (x == b) for x in values] for a in values for b in values]
    return rays(rows, len(R))


def _grow(R: Rows, p: Law, q: Law, B: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    for each in rays_of(R):
        ray = [Fraction(x) for x in each]
        yield inner(p, ray), B * inner(q, ray)


def _equations(R: Rows, f: Law) -> list[tuple[int, int]]:
    return [(a, b) for a in range(len(f)) for b in range(len(f)) if f[a] == R[a][b] * f[b]]


def _connect(size: int, equations: Sequence[tuple[int, int]]) -> bool:
    known = {0}
    for _ in range(size):
        known |= {x for pair in equations if known & {*pair} for x in pair}
    return len(known) == size


def _ray(R: Rows, f: Law) -> Iterator[bool]:
    values = range(len(f))
    yield min(f) >= 0 and all(f[a] <= R[a][b] * f[b] for a in values for b in values)
    yield any(f)
    yield connected(R, f)


def connected(R: Rows, f: Law) -> bool:
    """Return whether the equations of f connect all values."""
    return _connect(len(f), _equations(R, f))


def _one_side(R: Rows, f: Law) -> Iterator[bool]:
    equations = _equations(R, f)
    sides = product((False, True), repeat=len(f))
    yield any(_connect(len(f), [(a, b) for a, b in equations if S[a] > S[b]]) for S in sides)


def parts(A: Rows, u: Law) -> list[list[Fraction]] | None:
    """Return multiples of extreme rays of the cone of A whose sum is u, or None if there are none.

    They are found one by one: of a ray that keeps what is tight at u as much is taken away as
    leaves the rest inside.
    """
    if min(u) < 0 or any(inner(row, u) > 0 for row in A):
        return None
    found: list[list[Fraction]] = []
    rest, known = list(u), rays(A, len(u))
    for _ in u:
        slack = [*(-inner(row, rest) for row in A), *rest]
        for each in known:
            ray = [Fraction(x) for x in each]
            needs = [*(-inner(row, ray) for row in A), *ray]
            if any(rest) and not any(b and not a for a, b in zip(slack, needs)):
                t = min(a / b for a, b in zip(slack, needs) if b)
                found.append([t * x for x in ray])
                rest = [x - t * y for x, y in zip(rest, ray)]
                break
    return None if any(rest) else found


CONE = (
    "The cone of a matrix R is the set of all f >= 0 with f_a <= R_(a,b) f_b for all a and b. An "
    "extreme ray of it is a member f of it, not 0, such that f = g + g' with g and g' in it only "
    "for multiples of f."
)
GROW = entry(
    "means of rays grow",
    takes=(RATIOS, LAW_OF, LAW_OF, "R"),
    words="sum_y [1]_y f_y <= [3] sum_y [2]_y f_y for every extreme ray f of the cone of [0]",
    tex=r"\max_{f \in \mathrm{ext}\, \mathcal{C}([0])} "
    r"\frac{\langle [1], f \rangle}{\langle [2], f \rangle} \le [3]",
    coq="Elimination.rays_grow [0] [1] [2] [3]",
    value=_grow,
    relation="<=",
    meaning=CONE,
)
RAY = entry(
    "extreme ray of bounded ratios",
    takes=(RATIOS, LAW_OF),
    words="[1] is an extreme ray of the cone of [0]",
    tex=r"[1] \in \mathrm{ext}\, \mathcal{C}([0])",
    coq="Elimination.ray [0] [1]",
    value=_ray,
    relation="truth",
    meaning=CONE,
)
ONE_SIDE = entry(
    "equations from one side",
    takes=(RATIOS, LAW_OF),
    words="for some set S of values, the equations [1]_a = [0]_(a,b) [1]_b with a in S and b not in "
    "S connect all values",
    tex=r"\exists S:\ \{(a, b) : a \in S,\ b \notin S,\ {[1]}_a = {[0]}_{a b} {[1]}_b\} "
    r"\text{ connects all values}",
    coq="Elimination.from_one_side [0] [1]",
    value=_one_side,
    relation="truth",
    meaning="Equations connect all values if each set of values, other than none and all, has one "
    "value of some equation and not the other one. Then some of them are a spanning tree.",
)
SPANNED = entry(
    "spanned by rays",
    takes=("'Z -> 'D -> R", LAW_OF),
    words="finitely many extreme rays of the cone of the inequalities [0], of which each extreme ray is "
    "a multiple, have [1] as a sum with weights that are not negative",
    tex=r"[1] \in \mathrm{cone}\{r_1, \dots, r_m\},\ "
    r"\{r_1, \dots, r_m\} = \mathrm{ext}\{v \ge 0 : [0] v \le 0\}",
    coq="RaysSpan.spanned_by_rays [0] [1]",
    value=lambda A, u: iter((parts(A, u) is not None,)),
    relation="truth",
    meaning="The cone of inequalities A is the set of all v >= 0 with sum_x A_(z,x) v_x <= 0 for "
    "every z. An extreme ray of it is a member r of it, not 0, such that r = v + v' with v and v' "
    "in it only for multiples of r.",
)
