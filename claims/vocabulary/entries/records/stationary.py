"""A stationary chain of bits, its influences at a distance, and what redaction of it leaks:
Stationary.v, InfluenceCurves.v and Convexity.v.

Records are counted from 0. Quotients are as in Coq, where x/0 is 0.
"""

from collections.abc import Callable, Iterator, Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import row, rows
from pufferproof.claims.vocabulary.terms import Sort, entry

Chances = Sequence[Sequence[Fraction]]
ONE = Fraction(1)
BITS, SHARES_OF = "nat -> bool -> R", "nat -> R"
CHANCES_OF_BITS = Sort(
    BITS,
    "a sequence of pairs (r_k(0), r_k(1)) of real numbers, one for each record X_k",
    "list (list Q)",
    "(fun k => of_bits (late [] {} k))",
    rows,
)
NUMBERS_IN_TIME = Sort(
    SHARES_OF, "a sequence of real numbers, one for each record X_k", "list Q", "(fun k => Q2R (late 0%Q {} k))", row
)


def start(a: Fraction, b: Fraction) -> list[Fraction]:
    """Return the stationary weights of 0 and 1."""
    return [quotient(b, a + b), quotient(a, a + b)]


def power(a: Fraction, b: Fraction, D: int) -> list[list[Fraction]]:
    """Return the weights of D steps."""
    found = [[ONE, ZERO], [ZERO, ONE]]
    for _ in range(D):
        found = [[x * (1 - a) + y * b, x * a + y * (1 - b)] for x, y in found]
    return found


def influence(c: Fraction, lam: Fraction, D: int) -> Fraction:
    """Return e^i_c(D)."""
    found = quotient(1 + c * lam**D, 1 - lam**D)
    return max(found, quotient(ONE, found))


def i0(a: Fraction, b: Fraction, D: int) -> Fraction:
    """Return e^i0(D)."""
    return influence(quotient(a, b), 1 - a - b, D)


def i1(a: Fraction, b: Fraction, D: int) -> Fraction:
    """Return e^i1(D)."""
    return influence(quotient(b, a), 1 - a - b, D)


def on_value(a: Fraction, b: Fraction, p: int, t: int, z: int) -> Fraction:
    """Return e to the pointwise influence of record p on the value z of record t."""
    law, steps = start(a, b), power(a, b, abs(p - t))
    joint = [law[x] * steps[x][z] if p <= t else law[z] * steps[z][x] for x in (0, 1)]
    zero, one = (quotient(joint[x], law[x]) for x in (0, 1))
    return max(quotient(one, zero), quotient(zero, one))


def told(
    a: Fraction, b: Fraction, n: int, p: int, r: Chances
) -> tuple[tuple[Fraction, Fraction], list[tuple[Fraction, Fraction]]]:
    """Return the weights of X_p = 0 and 1, and of each possible output together with either."""
    law, step = start(a, b), power(a, b, 1)
    if p >= n:
        return (ZERO, ZERO), []
    # For every output so far: the weights of (X_p, X_k), where X_p is 0 before record p.
    paths: list[dict[tuple[int, int], Fraction]] = [{}]
    for k in range(n):
        chance, longer = late(r, k), []
        for path in paths:
            here = _moved(path, law, step, k, p)
            longer.append({at: w * chance[at[1]] for at, w in here.items()})
            for z in (0, 1):
                shows = {at: w * (1 - chance[z]) for at, w in here.items() if at[1] == z}
                longer.append(shows)
        paths = [path for path in longer if any(path.values())]
    sums = [_by_secret(path) for path in paths]
    plain = {(0, 0): ONE}
    for k in range(n):
        plain = _moved(plain if k else {}, law, step, k, p)
    return _by_secret(plain), sums


def _by_secret(path: dict[tuple[int, int], Fraction]) -> tuple[Fraction, Fraction]:
    zero, one = (sum((w for at, w in path.items() if at[0] == x), ZERO) for x in (0, 1))
    return zero, one


def _moved(
    path: dict[tuple[int, int], Fraction], law: Sequence[Fraction], step: Sequence[Sequence[Fraction]], k: int, p: int
) -> dict[tuple[int, int], Fraction]:
    """Return the weights with one record more."""
    found: dict[tuple[int, int], Fraction] = {}
    for x in (0, 1):
        if k == 0:
            found[x if p == 0 else 0, x] = law[x]
            continue
        for (secret, before), weight in path.items():
            at = (x if k == p else secret, x)
            found[at] = found.get(at, ZERO) + weight * step[before][x]
    return found


def _leaks(R: Fraction, a: Fraction, b: Fraction, n: int, p: int, r: Chances) -> Iterator[tuple[Fraction, Fraction]]:
    (zero, one), outputs = told(a, b, n, p, r)
    if zero > 0 and one > 0:
        for with_zero, with_one in outputs:
            yield with_zero * one, R * zero * with_one
            yield with_one * zero, R * one * with_zero


def _share(a: Fraction, b: Fraction, r: Chances, n: int) -> Fraction:
    law = start(a, b)
    shown = (law[x] * (1 - late(r, k)[x]) for k in range(n) for x in (0, 1))
    return quotient(sum(shown, ZERO), Fraction(n))


def _falls(a: Fraction, b: Fraction, D: int) -> Iterator[tuple[Fraction, Fraction]]:
    for value in (i0, i1):
        yield ONE, value(a, b, D + 1)
        yield value(a, b, D + 1), value(a, b, D)


def _convex(
    *values: Callable[[Fraction, Fraction, int], Fraction], step: int = 1
) -> Callable[[Fraction, Fraction, int], Iterator[tuple[Fraction, Fraction]]]:
    """Return whether the middle one of three influences is at most the mean of the others."""

    def found(a: Fraction, b: Fraction, D: int) -> Iterator[tuple[Fraction, Fraction]]:
        for value in values:
            first, middle, last = (value(a, b, D + k * step) for k in range(3))
            yield middle**2, first * last

    return found


def _bend(value: Callable[[Fraction, Fraction, int], Fraction]) -> Callable[..., Fraction]:
    """Return by how much an influence is convex."""

    def found(a: Fraction, b: Fraction, D: int) -> Fraction:
        first, middle, last = (value(a, b, D + k) for k in range(3))
        return first * last - middle**2

    return found


def _condition(a: Fraction, b: Fraction, D: int, x: Fraction, y: Fraction) -> Fraction:
    """Return the difference of the sides of the condition for convexity, with c = x/y."""
    m, c = abs(1 - a - b), quotient(x, y)
    u = m**D
    bracket = 2 * (m**2 - m + 1) - m**3 * (c**2 + 1) * u**2
    return (1 - m) ** 2 * (1 + m**2 * (c**2 - c + 1) * u**2) - m * u * abs(c - 1) * bracket


CURVES = (
    "e^i0(D) and e^i1(D) are the larger of (1 + c lam^D)/(1 - lam^D) and its inverse, with c = a/b "
    "and c = b/a, where lam = 1 - a - b."
)
CHAIN = (
    "X is a stationary chain of n bits X_0, .., X_(n-1), which steps from 0 to 1 with probability "
    "a and from 1 to 0 with probability b."
)
REDACTION = (
    f"{CHAIN} Y shows X_k or replaces it by *, the latter with probability r_k(X_k), "
    "each record by itself. e^Lk(X_p -> Y) is the largest P(Y = y | X_p = x)/P(Y = y | X_p = 1-x) "
    "over y and x."
)
ORDERED = entry(
    "steps in order",
    takes=("R", "R"),
    words="0 < [0] <= [1] < 1",
    tex=r"0 < [0] \le [1] < 1",
    coq=r"0 < [0] /\ [0] <= [1] /\ [1] < 1",
    value=lambda a, b: iter((a > 0, a <= b, b < 1)),
    precedence=80,
    relation="truth",
)
INSIDE = entry(
    "steps inside",
    takes=("R", "R"),
    words="0 < [0] < 1 and 0 < [1] < 1",
    tex=r"0 < [0], [1] < 1",
    coq=r"(0 < [0] < 1) /\ (0 < [1] < 1)",
    value=lambda a, b: iter((0 < a < 1, 0 < b < 1)),
    precedence=80,
    relation="truth",
)
I0 = entry(
    "influence of 0 at a distance",
    takes=("R", "R", "nat"),
    gives="R",
    words="e^i0([2])",
    tex="e^{i_0([2])}",
    coq="TwoStates.i0 [0] [1] [2]",
    value=i0,
    meaning=CURVES,
)
I1 = entry(
    "influence of 1 at a distance",
    takes=("R", "R", "nat"),
    gives="R",
    words="e^i1([2])",
    tex="e^{i_1([2])}",
    coq="TwoStates.i1 [0] [1] [2]",
    value=i1,
    meaning=CURVES,
)
CONVEXITY = "i is convex at D if 2 i(D + 1) <= i(D) + i(D + 2)."
FALLS = entry(
    "influences fall",
    takes=("R", "R", "nat"),
    words="0 < i0([2] + 1) < i0([2]) and 0 < i1([2] + 1) < i1([2])",
    tex=r"0 < i_0([2]+1) < i_0([2]) \wedge 0 < i_1([2]+1) < i_1([2])",
    coq=r"InfluenceCurves.falls (TwoStates.i0 [0] [1]) [2] /\ "
    "InfluenceCurves.falls (TwoStates.i1 [0] [1]) [2]",
    value=_falls,
    precedence=80,
    relation="<",
    meaning=CURVES,
)
CONVEX = entry(
    "influences convex",
    takes=("R", "R", "nat"),
    words="i0 and i1 are convex at [2]",
    tex=r"2 i_v([2]+1) \le i_v([2]) + i_v([2]+2),\ v = 0, 1",
    coq=r"InfluenceCurves.convex (TwoStates.i0 [0] [1]) [2] /\ "
    "InfluenceCurves.convex (TwoStates.i1 [0] [1]) [2]",
    value=_convex(i0, i1),
    precedence=80,
    relation="<=",
    meaning=f"{CONVEXITY} {CURVES}",
)
CONVEX_0 = entry(
    "influence of 0 convex",
    takes=("R", "R", "nat"),
    words="i0 is convex at [2]",
    tex=r"2 i_0([2]+1) \le i_0([2]) + i_0([2]+2)",
    coq="InfluenceCurves.convex (TwoStates.i0 [0] [1]) [2]",
    value=_convex(i0),
    relation="<=",
    meaning=f"{CONVEXITY} {CURVES}",
)
CONVEX_1 = entry(
    "influence of 1 convex",
    takes=("R", "R", "nat"),
    words="i1 is convex at [2]",
    tex=r"2 i_1([2]+1) \le i_1([2]) + i_1([2]+2)",
    coq="InfluenceCurves.convex (TwoStates.i1 [0] [1]) [2]",
    value=_convex(i1),
    relation="<=",
    meaning=f"{CONVEXITY} {CURVES}",
)
CONVEX_BY_TWO = entry(
    "influences convex by two steps",
    takes=("R", "R", "nat"),
    words="2 i0([2] + 2) <= i0([2]) + i0([2] + 4) and 2 i1([2] + 2) <= i1([2]) + i1([2] + 4)",
    tex=r"2 i_v([2]+2) \le i_v([2]) + i_v([2]+4),\ v = 0, 1",
    coq=r"InfluenceCurves.convex_by_two (TwoStates.i0 [0] [1]) [2] /\ "
    "InfluenceCurves.convex_by_two (TwoStates.i1 [0] [1]) [2]",
    value=_convex(i0, i1, step=2),
    precedence=80,
    relation="<=",
    meaning=CURVES,
)
BEND_0 = entry(
    "convexity of the influence of 0",
    takes=("R", "R", "nat"),
    gives="R",
    words="e^(i0([2]) + i0([2] + 2)) - e^(2 i0([2] + 1))",
    tex="e^{i_0([2]) + i_0([2]+2)} - e^{2 i_0([2]+1)}",
    coq="Convexity.bend (TwoStates.i0 [0] [1]) [2]",
    value=_bend(i0),
    meaning=CURVES,
)
BEND_1 = entry(
    "convexity of the influence of 1",
    takes=("R", "R", "nat"),
    gives="R",
    words="e^(i1([2]) + i1([2] + 2)) - e^(2 i1([2] + 1))",
    tex="e^{i_1([2]) + i_1([2]+2)} - e^{2 i_1([2]+1)}",
    coq="Convexity.bend (TwoStates.i1 [0] [1]) [2]",
    value=_bend(i1),
    meaning=CURVES,
)
CONDITION = entry(
    "condition for convexity",
    takes=("R", "R", "nat", "R", "R"),
    gives="R",
    words="k([3]/[4], [2])",
    tex=r"k(\tfrac{[3]}{[4]}, [2])",
    coq="Convexity.condition_at [0] [1] [2] [3] [4]",
    value=_condition,
    meaning="k(x, D) is (1-m)^2 (1 + m^2 (x^2-x+1) u^2) - m u |x-1| (2 (m^2-m+1) - m^3 (x^2+1) u^2)"
    " with m = |1 - a - b| and u = m^D.",
)
SAME_SIGN = entry(
    "same sign",
    takes=("R", "R"),
    words="[0] and [1] have the same sign",
    tex=r"\operatorname{sgn}([0]) = \operatorname{sgn}([1])",
    coq="Convexity.same_sign [0] [1]",
    value=lambda x, y: iter(((x < 0) == (y < 0), (x > 0) == (y > 0))),
    relation="truth",
)
ON_0 = entry(
    "influence on the value 0",
    takes=("R", "R", "nat", "nat"),
    gives="R",
    words="e^i(X_[2] ~> X_[3]=0)",
    tex=r"e^{i(X_{[2]} \rightsquigarrow X_{[3]}=0)}",
    coq="InfluenceCurves.influence_on [0] [1] [2] [3] false",
    value=lambda a, b, p, t: on_value(a, b, p, t, 0),
    meaning=f"{CHAIN} e^i(X_p ~> X_t=z) is the largest P(X_t = z | X_p = x)/P(X_t = z | X_p = 1-x) over x.",
)
ON_1 = entry(
    "influence on the value 1",
    takes=("R", "R", "nat", "nat"),
    gives="R",
    words="e^i(X_[2] ~> X_[3]=1)",
    tex=r"e^{i(X_{[2]} \rightsquigarrow X_{[3]}=1)}",
    coq="InfluenceCurves.influence_on [0] [1] [2] [3] true",
    value=lambda a, b, p, t: on_value(a, b, p, t, 1),
)
DISTANCE = entry(
    "distance",
    takes=("nat", "nat"),
    gives="nat",
    words="|[0]-[1]|",
    tex="|[0]-[1]|",
    coq="(SidesOfRecord.distance_to [0] [1])",
    value=lambda p, t: abs(p - t),
    precedence=0,
)
ODD = entry(
    "odd",
    takes=("nat",),
    words="[0] is odd",
    tex=r"[0] \text{ is odd}",
    coq="Nat.odd [0] = true",
    value=lambda D: iter((D % 2 == 1,)),
    precedence=70,
    relation="truth",
)
EVEN = entry(
    "even",
    takes=("nat",),
    words="[0] is even",
    tex=r"[0] \text{ is even}",
    coq="Nat.odd [0] = false",
    value=lambda D: iter((D % 2 == 0,)),
    precedence=70,
    relation="truth",
)
CHANCES = entry(
    "chances",
    takes=(BITS,),
    words="every probability in [0] is from 0 to 1",
    tex=r"0 \le [0]_k(x) \le 1",
    coq="Redaction.chances [0]",
    value=lambda r: (0 <= each <= 1 for row in r for each in row),
    relation="truth",
)
LEAKS = entry(
    "leakage of a record at most",
    takes=("R", "R", "R", "nat", "nat", BITS),
    words="e^Lk(X_[4] -> Y) <= [0], if records are replaced with the chances [5]",
    tex=r"e^{\mathrm{Lk}(X_{[4]} \to Y_{[5]})} \le [0]",
    coq="Stationary.leaks_at_most [0] [1] [2] [3] [4] [5]",
    value=_leaks,
    relation="<=",
    meaning=REDACTION,
)
SHARE = entry(
    "share that is shown",
    takes=("R", "R", BITS, "nat"),
    gives="R",
    words="nu([2])",
    tex=r"\nu([2])",
    coq="DataIndependent.shown_share [0] [1] [2] [3]",
    value=_share,
    meaning="nu(r) is the utility of redaction with the chances r: the mean of P(Y_k = X_k) over "
    f"the n records. {REDACTION}",
)
