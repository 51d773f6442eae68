"""Noise on linear queries as programs: all is whole numbers, and the decay is rational, or powers
of a rational stand for normal densities.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Vector = tuple[int, ...]
Rest = Mapping[Vector, F]
INDEPENDENT = "R is independent of X_i"
APART = "no value of s is less than one of t"


def _rest(draws: Draws, size: int) -> dict[Vector, F]:
    """Draw a law of two vectors, which may be one."""
    values = [tuple(draws.below(3) - 1 for _ in range(size)) for _ in range(2)]
    p = draws.rate([HALF, F(1, 4)])
    return {values[0]: ONE} if values[0] == values[1] else {values[0]: p, values[1]: 1 - p}


def _queries(draws: Draws) -> Instance:
    size = 1 + draws.below(2)
    rest = _rest(draws, size)
    return {
        "c": [draws.below(4) - 1 for _ in range(size)],
        "decay": [draws.rate([HALF, F(1, 3)]) for _ in range(size)],
        "rest": rest,
        "other": _rest(draws, size) if draws.below(4) == 3 else rest,
    }


def two_values(draws: Draws) -> Instance:
    """One or two numbers with slopes c from -1 to 2, geometric noise of decays 1/2 and 1/3, a law
    of two vectors R given u and, mostly the same, given v; values u and v from 0 to 2.
    """
    return {**_queries(draws), "u": draws.below(3), "v": draws.below(3)}


def _likelihood(w: Vector, x: int, c: Sequence[int], decay: Row, rest: Rest) -> F:
    return sum(
        (
            p * prod(t ** abs(y - k * x - r) for y, k, t, r in zip(w, c, decay, value))
            for value, p in rest.items()
        ),
        ZERO,
    )


def _shared(w: Vector, x: int, c: Sequence[int], decay: Row, rest: Rest) -> F:
    """Return the likelihood where one noise is added to all numbers."""
    found = ZERO
    for value, p in rest.items():
        noise = {y - k * x - r for y, k, r in zip(w, c, value)}
        if len(noise) == 1:
            found += p * decay[0] ** abs(noise.pop())
    return found


def _outputs(c: Sequence[int], *values: int) -> Iterator[Vector]:
    """Yield outputs up to one beyond all values of F + R in every coordinate."""
    ends = []
    for k in c:
        reached = [k * x for x in values]
        ends.append(range(min(reached) - 2, max(reached) + 3))
    return product(*ends)


def _between_values(
    c: Sequence[int],
    decay: Row,
    rest: Rest,
    other: Rest,
    u: int,
    v: int,
    factor: F = ONE,
    shared: bool = False,
) -> bool:
    """Whether no ratio of likelihoods is above the product of t_k^-|c_k (u - v)|, and one is it."""
    of = _shared if shared else _likelihood
    bound = factor / prod((t ** abs(k * (u - v)) for t, k in zip(decay, c)), start=ONE)
    pairs = [(of(w, u, c, decay, rest), of(w, v, c, decay, other)) for w in _outputs(c, u, v)]
    return all(one <= bound * two for one, two in pairs) and any(
        one == bound * two for one, two in pairs
    )


VALUES = Statement(
    family=two_values,
    given={INDEPENDENT: lambda rest, other, **_: rest == other},
    holds=_between_values,
    too_strong={"99/100 of it": {"factor": ALMOST}, "one noise on all numbers": {"shared": True}},
    too_weak=[INDEPENDENT],
)


LEVELS = "at every record likelihoods change by at most its level, per unit"


def readings(draws: Draws) -> Instance:
    """One or two records c_j X_i + R_j, and a likelihood: the sum, or the least, of two functions
    that fall from a centre by decays; sometimes by more at one record.
    """
    found = {**_queries(draws), "u": draws.below(3), "v": draws.below(3)}
    size = len(found["c"])
    steep = [t * (HALF if draws.below(6) == 5 else ONE) for t in found["decay"]]
    centres = [tuple(draws.below(5) - 2 for _ in range(size)) for _ in range(2)]
    return {**found, "steep": steep, "centres": centres, "least": draws.below(2) == 1}


def _output(x: Sequence[int], steep: Row, centres: Sequence[Sequence[int]], least: bool) -> F:
    """Return the likelihood of one output at readings."""
    falls = [prod((t ** abs(a - b) for t, a, b in zip(steep, x, z)), start=ONE) for z in centres]
    return min(falls) if least else sum(falls, ZERO)


def _levels(
    c: Sequence[int],
    decay: Row,
    steep: Row,
    centres: Sequence[Sequence[int]],
    least: bool,
    **_: object,
) -> bool:
    """Whether a step of one in a record changes the likelihood by at most its decay."""
    for x in product(range(-4, 8), repeat=len(c)):
        here = _output(x, steep, centres, least)
        for j, t in enumerate(decay):
            there = _output([a + (k == j) for k, a in enumerate(x)], steep, centres, least)
            if t * there > here or t * here > there:
                return False
    return True


def _of_levels(
    c: Sequence[int],
    decay: Row,
    rest: Mapping[tuple[int, ...], F],
    other: Mapping[tuple[int, ...], F],
    u: int,
    v: int,
    steep: Row,
    centres: Sequence[Sequence[int]],
    least: bool,
    factor: F = ONE,
    first: bool = False,
) -> bool:
    """Whether an output is within the product of t_j^-|c_j (u - v)|, and a signed product reaches
    it; `first`, within that of the first record.
    """
    told = [(t, k * (u - v)) for t, k in zip(decay, c)][: 1 if first else None]
    bound = factor / prod((t ** abs(d) for t, d in told), start=ONE)

    def mean(law: Rest, x: int, of: Callable[[Sequence[int]], F]) -> F:
        return sum(
            (p * of([k * x + r for k, r in zip(c, value)]) for value, p in law.items()), ZERO
        )

    def signed(x: Sequence[int]) -> F:
        signs = [(d > 0) - (d < 0) for _, d in told]
        return prod((t ** (-s * a) for (t, _), s, a in zip(told, signs, x)), start=ONE)

    def drawn(x: Sequence[int]) -> F:
        return _output(x, steep, centres, least)

    bounded = mean(rest, u, drawn) <= bound * mean(other, v, drawn)
    return bounded and mean(rest, u, signed) == bound * mean(other, v, signed)


READINGS = Statement(
    family=readings,
    given={INDEPENDENT: lambda rest, other, **_: rest == other, LEVELS: _levels},
    holds=_of_levels,
    too_strong={"99/100 of it": {"factor": ALMOST}, "of the first record": {"first": True}},
    too_weak=[INDEPENDENT, LEVELS],
)


def two_windows(draws: Draws) -> Instance:
    """As for values; laws of X_i given s and given t, each of two values from -1 to 3, most of them
    with those of t first.
    """
    values = [draws.below(5) - 1 for _ in range(4)]
    if draws.below(4):
        values.sort()
    found = _queries(draws)
    found["other"] = found["rest"]
    p, q = draws.rate([HALF, F(1, 4)]), draws.rate([HALF, F(1, 3)])
    return {
        **found,
        "t": [(values[0], p), (values[1], 1 - p)],
        "s": [(values[2], q), (values[3], 1 - q)],
    }


def _apart(s: Sequence[tuple[int, F]], t: Sequence[tuple[int, F]], **_: object) -> bool:
    return bool(min(x for x, _ in s) >= max(x for x, _ in t))


def _mean(law: Any, of: Any) -> F:
    return sum((p * of(x) for x, p in law), ZERO)


def _between_windows(
    c: Sequence[int],
    decay: Row,
    rest: Rest,
    other: Rest,
    s: Sequence[tuple[int, F]],
    t: Sequence[tuple[int, F]],
    factor: F = ONE,
    shared: bool = False,
) -> bool:
    """Whether both orders are bounded by the means of e^(QX) and e^(-QX), and both reached."""
    of = _shared if shared else _likelihood

    def lifted(x: int) -> F:
        return prod((rate ** (-abs(k) * x) for rate, k in zip(decay, c)), start=ONE)

    up = factor * _mean(s, lifted) / _mean(t, lifted)
    down = factor * _mean(t, lambda x: 1 / lifted(x)) / _mean(s, lambda x: 1 / lifted(x))
    pairs = [
        tuple(_mean(law, lambda x, w=w: of(w, x, c, decay, rest)) for law in (s, t))
        for w in _outputs(c, *(x for x, _ in (*s, *t)))
    ]
    bounded = all(one <= up * two and two <= down * one for one, two in pairs)
    reached = any(one == up * two for one, two in pairs)
    return bounded and reached and any(two == down * one for one, two in pairs)


WINDOWS = Statement(
    family=two_windows,
    given={APART: _apart},
    holds=_between_windows,
    too_strong={"99/100 of both": {"factor": ALMOST}, "one noise on all numbers": {"shared": True}},
    too_weak=[APART],
)


def two_laws(draws: Draws) -> Instance:
    """Laws of X_i given s and given t, each of two values from -1 to 3, most of them with those of
    t first; a root e^(-1/(2 K)) of 1/2 or 2/3.
    """
    found = two_windows(draws)
    return {"s": found["s"], "t": found["t"], "root": draws.rate([HALF, F(2, 3)])}


def _rises(s: object, t: object, root: F, strictly: bool = False, mixed: bool = False) -> bool:
    """Whether p(z | s) / p(z | t) does not fall from z = -4 to 6; `mixed`, under a prior that is a
    mixture of two normal laws, with the means x and -2 x.
    """

    def density(z: int, x: int) -> F:
        return root ** ((z - x) ** 2) + (root ** ((z + 2 * x) ** 2) if mixed else ZERO)

    ratios = [
        _mean(s, lambda x, z=z: density(z, x)) / _mean(t, lambda x, z=z: density(z, x))
        for z in range(-4, 7)
    ]
    pairs = list(pairwise(ratios))
    return all(one < two for one, two in pairs) if strictly else all(a <= b for a, b in pairs)


RISES = Statement(
    family=two_laws,
    given={APART: _apart},
    holds=_rises,
    too_strong={
        "it rises at every output": {"strictly": True},
        "a mixture of two normal laws as one prior": {"mixed": True},
    },
    too_weak=[APART],
)


def distances(draws: Draws) -> Instance:
    """Slopes c of two numbers from -1 to 2, R = (a, b) G for a normal G of variance 1, and noise
    of variances 1 and 2.
    """
    return {
        "c": [draws.below(4) - 1 for _ in range(2)],
        "shared": [draws.below(3) - 1 for _ in range(2)],
        "noise": [F(1 + draws.below(2)) for _ in range(2)],
    }


def _best(c: Sequence[int], shared: Sequence[int], noise: Row, summed: bool = False) -> bool:
    """Whether c'K^-1 c is the largest (a'c)^2 / a'Ka, reached at K^-1 c, over whole numbers a."""
    (p, q), (g, h) = c, shared
    k11, k22, k12 = noise[0] + g * g, noise[1] + h * h, F(g * h)
    det = k11 * k22 - k12 * k12
    best = ((k22 * p - k12 * q) / det, (k11 * q - k12 * p) / det)
    information = p * best[0] + q * best[1]
    if summed:
        information = p * p / k11 + q * q / k22

    def square(a: Any) -> tuple[F, F]:
        return (a[0] * p + a[1] * q) ** 2, a[0] ** 2 * k11 + 2 * a[0] * a[1] * k12 + a[1] ** 2 * k22

    within = all(
        one <= information * two for one, two in map(square, product(range(-3, 4), repeat=2))
    )
    one, two = square(best)
    return within and one == information * two


JOINT = Statement(
    family=distances, holds=_best, too_strong={"the sum of both alone": {"summed": True}}
)


def shifts(draws: Draws) -> Instance:
    """Densities root^(z - D)^2 and root^z^2, root 1/2 or 2/3 instead of e^(-1/2), D from 1 to 3;
    an order from 2 to 4; a level of root^(-2 e), e from 0 to 3.
    """
    return {
        "root": draws.rate([HALF, F(2, 3)]),
        "D": 1 + draws.below(3),
        "order": 2 + draws.below(3),
        "e": draws.below(4),
    }


def _shifted(root: F, D: int, order: int, e: int, less: int = 0, nearer: int = 0) -> bool:
    """Whether the ratio exceeds the level at all z beyond e/D + D/2 alone, and p^order q^(1 -
    order) is the density with mean order D, times root^(-order (order - 1) D^2).
    """
    factor = root ** (-(order - less) * (order - 1) * D**2)
    return all(
        (root ** ((z - D) ** 2) > root ** (z**2 - 2 * e)) == (z > F(e, D) + F(D, 2) - nearer)
        and root ** (order * (z - D) ** 2 + (1 - order) * z**2)
        == factor * root ** ((z - order * D) ** 2)
        for z in range(-6, 13)
    )


SHIFTED = Statement(
    family=shifts,
    holds=_shifted,
    too_strong={"an order less": {"less": 1}, "a nearer threshold": {"nearer": 1}},
)


BELOW, BEYOND = "no value of t is above x0", "z is at least every value of s"


def far_out(draws: Draws) -> Instance:
    """Laws of X_i given s and given t, each of two values from -1 to 3; x0, mostly the greatest of
    t; d of 1 or 2; a root e^(-1/(2 sigma^2)); an output z, mostly beyond s.
    """
    found = two_laws(draws)
    top, end = (max(x for x, _ in found[name]) for name in "ts")
    low, near = draws.below(4) == 3, draws.below(4) == 3
    return {
        **found,
        "x0": top - low,
        "d": 1 + draws.below(2),
        "z": end - 1 if near else end + draws.below(5),
    }


def _beyond(s: Any, t: object, root: F, x0: int, d: int, z: int, factor: F = ONE) -> bool:
    """Whether p(z | s) is at least P(X_i >= x0 + d | s) root^-(2 (z - x0) d - d^2) times p(z | t),
    which grows with z.
    """
    one, two = (_mean(law, lambda x: root ** ((z - x) ** 2)) for law in (s, t))
    share = sum((p for x, p in s if x >= x0 + d), ZERO)
    return one >= factor * share * root ** (d * d - 2 * (z - x0) * d) * two


UNBOUNDED = Statement(
    family=far_out,
    given={
        BELOW: lambda t, x0, **_: all(x <= x0 for x, _ in t),
        BEYOND: lambda s, z, **_: all(x <= z for x, _ in s),
    },
    holds=_beyond,
    too_strong={"101/100 of it": {"factor": F(101, 100)}},
    too_weak=[BELOW, BEYOND],
)
