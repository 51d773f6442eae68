"""Queries with Laplace noise: Attained.v and Slower.v.

At an instance values are integers, and a scale b is known by r = e^(-1 / (2 b)), so that densities
at multiples of 1/2 are powers of r, up to a constant. Python evaluates a release there, at values
of the query, beside them and between them; Coq at values alone, by which Attained.v decides it.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, SET, Law, Secret, joint
from pufferproof.claims.vocabulary.sorts import both, listed, rational
from pufferproof.claims.vocabulary.terms import Sort, entry

Query = Sequence[int]
Queries = Sequence[tuple[Query, Fraction]]
TwoScales = Sequence[tuple[Query, tuple[Fraction, Fraction]]]
ONE = Fraction(1)
QUERY, SCALE = "'D -> R", "posreal"
QUERIES = f"list (({QUERY}) * posreal)"
TWICE = f"list (({QUERY}) * (posreal * posreal))"
SCALED = "a positive real number"


def _integer(number: int) -> str:
    return f"({number})%Z"


def _scale(root: Fraction) -> str:
    return rational(root**2)


_values = listed(_integer)
A_SCALE = Sort("posreal", SCALED, "Q", "Noises.scale {}", _scale)
AN_INTEGER = Sort("R", "a real number", "Z", "IZR {}", _integer)
"""A real number that is an integer at instances."""


def query(of: str) -> Sort:
    """A real function of databases."""
    return Sort(f"{of} -> R", f"a real function on {of}", "list Z", "Noises.values {}", _values)


def queries(of: str) -> Sort:
    """A list of queries, each with a scale."""
    return Sort(
        f"list (({of} -> R) * posreal)",
        f"a list of real functions F_k on {of}, each with a positive scale b_k",
        "list (list Z * Q)",
        "map Noises.query {}",
        listed(both(_values, _scale)),
    )


def queries_twice(of: str) -> Sort:
    """A list of queries, each with two scales."""
    return Sort(
        f"list (({of} -> R) * (posreal * posreal))",
        f"a list of real functions F_k on {of}, each with two positive scales b_k and b'_k",
        "list (list Z * (Q * Q))",
        "map Noises.query_twice {}",
        listed(both(_values, both(_scale, _scale))),
    )


def integer_queries(of: str) -> Sort:
    """A list of queries of integers, each with a scale."""
    return Sort(
        f"list (({of} -> Z) * posreal)",
        f"a list of functions G_k from {of} to the integers, each with a positive scale b_k",
        "list (list Z * Q)",
        "map Noises.integer_query {}",
        listed(both(_values, _scale)),
    )


def around(values: Query) -> list[int]:
    """Return, doubled, all values, and what is 1/2 above or below one."""
    return sorted({2 * value + off for value in values for off in (-1, 0, 1)})


def density(F: Queries, x: int, output: Sequence[int]) -> Fraction:
    """Return the density of an output, whose coordinates are doubled, without its constant."""
    return prod((root ** abs(w - 2 * f[x]) for (f, root), w in zip(F, output)), start=ONE)


def released(F: Queries) -> list[list[Fraction]]:
    """Return the densities of each database at outputs of and around values."""
    size = len(F[0][0])
    outputs = [*product(*(around(f) for f, _ in F))]
    return [[density(F, x, each) for each in outputs] for x in range(size)]


def geometric(G: Queries, F: Queries) -> list[list[Fraction]]:
    """Return the densities of each database at integers for G, and around values for F."""
    axes = [range(2 * min(f) - 2, 2 * max(f) + 3, 2) for f, _ in G]
    outputs = [*product(*axes, *(around(f) for f, _ in F))]
    both = [*G, *F]
    return [[density(both, x, each) for each in outputs] for x in range(len(both[0][0]))]


def _attained(F: Queries, p: Law, s: Secret, t: Secret) -> Iterator[bool]:
    known = [x for x in s | t if p[x] > 0]
    corners = product(*(sorted({2 * f[x] for x in known}) for f, _ in F))
    rows = released(F)
    outputs = [(joint(p, rows, s, v), joint(p, rows, t, v)) for v in range(len(rows[0]))]
    found = []
    for each in corners:
        here = [[density(F, x, each)] for x in range(len(p))]
        found.append((joint(p, here, s, 0), joint(p, here, t, 0)))
    yield any(all(n * d <= m * e for n, e in outputs) for m, d in found)


NOISE = (
    "The noisy release of functions F_k with scales b_k shows every F_k with independent Laplace noise of scale b_k; "
)
RELEASED = entry(
    "noisy release",
    takes=(QUERIES,),
    gives="'D -> list R -> R",
    words="the noisy release of [0]",
    tex=r"([0] + \mathrm{Lap})",
    coq="Attained.released [0]",
    value=released,
    meaning=NOISE + "of it P_p(M = w | s) is a density.",
)
SCALED_BY = entry(
    "with scale",
    takes=(QUERY, SCALE),
    gives=f"({QUERY}) * posreal",
    words="[0] with scale [1]",
    tex="{[0]}_{[1]}",
    coq="([0], [1])",
    value=lambda f, root: (f, root),
    precedence=0,
)
AND = entry(
    "another query",
    takes=(f"({QUERY}) * posreal", QUERIES),
    gives=QUERIES,
    words="[0], [1]",
    tex="[0], [1]",
    coq="[0] :: [1]",
    value=lambda one, F: [one, *F],
    precedence=60,
    infix="right",
)
AFFINE = entry(
    "affine function",
    takes=("R", "R", QUERY),
    gives=QUERY,
    words="[0] + [1] [2]",
    tex=r"([0] + [1]\, [2])",
    coq="(fun x_ => [0] + [1] * [2] x_)",
    value=lambda c, r, f: [c + r * each for each in f],
    precedence=0,
)
MERGED = entry(
    "scale of two",
    takes=(SCALE, "R", SCALE),
    gives=SCALE,
    words="1/(1/[0] + |[1]|/[2])",
    tex=r"1 / (1 / [0] + |[1]| / [2])",
    coq="(Slower.merged [0] [1] [2])",
    value=lambda b, r, other: b * other ** abs(r),
    precedence=0,
)
FIRST = entry(
    "first scales",
    takes=(TWICE,),
    gives=QUERIES,
    words="[0] with scales b_k",
    tex="[0]_{b}",
    coq="(Slower.first_scales [0])",
    value=lambda F: [(f, scales[0]) for f, scales in F],
    precedence=0,
)
SECOND = entry(
    "second scales",
    takes=(TWICE,),
    gives=QUERIES,
    words="[0] with scales b'_k",
    tex="[0]_{b'}",
    coq="(Slower.second_scales [0])",
    value=lambda F: [(f, scales[1]) for f, scales in F],
    precedence=0,
)
RISE = entry(
    "scales rise",
    takes=(TWICE,),
    words="b_k <= b'_k for every F_k in [0]",
    tex=r"\forall k:\ b_k \le b'_k",
    coq="Slower.scales_rise [0]",
    value=lambda F: (scales for _, scales in F),
    relation="<=",
)
ATTAINED = entry(
    "largest at values",
    takes=(QUERIES, LAW_OF, SET, SET),
    words="there is an output w of the noisy release of [0], each w_k being F_k(x) for some x in [2] or "
    "[3] with [1](x) > 0, such that P_[1](v, [2]) P_[1](w, [3]) <= P_[1](w, [2]) P_[1](v, [3]) "
    "for every output v",
    tex=r"\exists w:\ w_k \in F_k([2] \cup [3]),\ \forall v:\ P_{[1]}(v, [2])\, P_{[1]}(w, [3]) \le "
    r"P_{[1]}(w, [2])\, P_{[1]}(v, [3])",
    coq="Attained.attained [1] [2] [3] [0]",
    value=_attained,
    relation="truth",
    meaning=NOISE + "P_p(v, s) is its density at v together with s.",
)

INTEGERS = "list (('D -> Z) * posreal)"
GEOMETRIC = entry(
    "geometric noise",
    takes=(INTEGERS, QUERIES),
    gives="'D -> (list Z * list R) -> R",
    words="the release of [0] with geometric noise and of [1] with Laplace noise",
    tex=r"([0] + \mathrm{Geom}, [1] + \mathrm{Lap})",
    coq="Geometric.both_noises [0] [1]",
    value=geometric,
    meaning="Geometric noise of scale b is an integer n with a probability proportional to e^(-|n|/b).",
)
AS_REALS = entry(
    "integers as real numbers",
    takes=(INTEGERS,),
    gives=QUERIES,
    words="[0]",
    tex="[0]",
    coq="(Geometric.as_reals [0])",
    value=lambda G: G,
    precedence=0,
)
JOINED = entry(
    "queries of both",
    takes=(QUERIES, QUERIES),
    gives=QUERIES,
    words="[0], [1]",
    tex="[0], [1]",
    coq="[0] ++ [1]",
    value=lambda F, G: [*F, *G],
    precedence=60,
    infix="right",
)
