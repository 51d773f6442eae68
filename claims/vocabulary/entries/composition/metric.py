"""Levels of metric privacy, of single columns and of mechanisms together: Metric.v.

That a number bounds all columns of a level is decided exactly, at the extreme rays of their cone.
"""

from collections.abc import Iterator, Sequence
from math import prod

from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.bounds import inner
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, Law
from pufferproof.claims.vocabulary.terms import entry

Neighbours = Sequence[tuple[int, int]]
Distances = Sequence[Sequence[int]]
ONE = Fraction(1)
N, DISTANCE = "'D -> 'D -> Prop", "'D -> 'D -> nat"


def compared(N: Neighbours, d: Distances, P: Fraction, mu: Law, nu: Law) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield <mu, r> and <nu, r> at the extreme rays of the columns of a level."""
    size = len(mu)
    rows = [[Fraction(int(z == x)) - P ** d[x][y] * int(z == y) for z in range(size)] for x, y in N]
    for ray in rays(rows, size):
        u = [*map(Fraction, ray)]
        yield inner(mu, u), inner(nu, u)


def _columns(
    N: Neighbours, d: Distances, P: Fraction, mu: Law, nu: Law, L: Fraction
) -> Iterator[tuple[Fraction, Fraction]]:
    return ((a, L * b) for a, b in compared(N, d, P, mu, nu))


def _symmetric(N: Neighbours, d: Distances) -> Iterator[bool]:
    for x, y in N:
        yield (y, x) in N
        yield d[x][y] == d[y][x]


def _product(Rs: Sequence[Fraction]) -> Fraction:
    return prod(Rs, start=ONE)


def _mechanisms(N: Neighbours, d: Distances, Rs: Sequence[Fraction], mu: Law, nu: Law, L: Fraction) -> Iterator[bool]:
    yield all(_symmetric(N, d))
    yield bool(Rs)
    yield all(R >= 1 for R in Rs)
    yield all(a <= b for a, b in _columns(N, d, _product(Rs), mu, nu, L))


PRODUCT = entry(
    "product of a list",
    takes=("list R",),
    gives="R",
    words="prod [0]",
    tex=r"\textstyle\prod [0]",
    coq="Metric.product_of [0]",
    value=_product,
)
NONEMPTY = entry(
    "not empty",
    takes=("list R",),
    words="[0] is not empty",
    tex=r"[0] \ne ()",
    coq="[0] <> nil",
    value=lambda Rs: iter((bool(Rs),)),
    precedence=70,
    relation="truth",
)
SYMMETRIC = entry(
    "symmetric distance",
    takes=(N, DISTANCE),
    words="(y, x) is in [0] and [1](y, x) = [1](x, y) for every (x, y) in [0]",
    tex=r"\forall (x, y) \in [0]:\ (y, x) \in [0] \wedge [1](y, x) = [1](x, y)",
    coq="Metric.symmetric_distance [0] [1]",
    value=_symmetric,
    relation="truth",
)
CLOSE = (
    "Columns of the level P are all u >= 0 on D with u_x <= P^d(x, y) u_y for every (x, y) in N, "
    "mechanisms of the level P all mechanisms with finitely many outputs whose rows are laws and "
    "whose columns are columns of the level P."
)
COLUMNS_BOUNDED = entry(
    "bounds columns of a level",
    takes=(N, DISTANCE, "R", LAW_OF, LAW_OF, "R"),
    words="sum_x [3]_x u_x <= [5] sum_x [4]_x u_x for all columns u of the level [2] for [0] and [1]",
    tex=r"\max_{u_x \le [2]^{[1](x, y)} u_y} "
    r"\frac{\langle [3], u \rangle}{\langle [4], u \rangle} \le [5]",
    coq="Metric.columns_bounded [0] [1] [2] [3] [4] [5]",
    value=_columns,
    relation="<=",
    meaning=CLOSE,
)
MECHANISMS_BOUNDED = entry(
    "bounds mechanisms of levels",
    takes=(N, DISTANCE, "list R", LAW_OF, LAW_OF, "R"),
    words="[0] and [1] are symmetric, [2] is not empty, no member of [2] is below 1, and sum_x [3]_x u_x "
    "<= [5] sum_x [4]_x u_x for the column u of every joint output of independent mechanisms, one "
    "of each level in [2] for [0] and [1]",
    tex=r"\max_{M_k : R(M_k) \le [2]_k} R_{[3],[4]}(M_1 \otimes \dots \otimes M_K) \le [5]",
    coq="Metric.mechanisms_bounded [0] [1] [2] [3] [4] [5]",
    value=_mechanisms,
    relation="truth",
    meaning=CLOSE,
)
