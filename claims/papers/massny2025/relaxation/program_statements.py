"""The relaxed program over limits, as programs: minimise the sum of q_k, q_1 .. q_k >= c_k.

With c_k = g^m_k and q_k = g^s_k, 0 < g < 1, the limits m_k stand for eps - delta_k, and the
exponents s_k for -log q_k: s_1 + .. + s_k <= m_k. All m_k are multiples of 6, so that slopes over
up to three records are integers.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import prod

from pufferproof.claims.language.instances.laws import ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.influence.three_regions import delta, medium, regions
from pufferproof.claims.papers.massny2025.relaxation.output_statements import first_records
from pufferproof.claims.papers.massny2025.relaxation.statements import NOT_POSITIVE

F = Fraction
FIGURES = chain("1/100", "4/5")


def _slopes(m: Sequence[int]) -> tuple[list[int], int, int]:
    """The exponents of the construction, how many slopes it computes, and how many roots it takes:
    from k on, the largest minimiser of (m_l - m_k)/(l - k), with m_0 = 0.
    """
    points, k = [0, *m], 0
    exponents: list[int] = []
    computed, roots = 0, 0
    while k < len(m):
        slopes = {l: F(points[l] - points[k], l - k) for l in range(k + 1, len(points))}
        least = min(slopes.values())
        l = max(each for each, slope in slopes.items() if slope == least)
        exponents += [int(least)] * (l - k)
        computed, roots, k = computed + len(slopes), roots + 1, l
    return exponents, computed, roots


def limits(draws: Draws) -> Instance:
    """A base g, one to three limits m_k >= 0, rising or not, multiples of 6, and exponents s_k >= 0
    of another choice of q, often those of the solution, in another order, or more.
    """
    g, m = draws.rate([F(1, 2), F(9, 10), F(2, 3)]), [6 * draws.below(4) for _ in range(3)]
    m = m[: 1 + draws.below(3)]
    solution = _slopes(m)[0]
    s = [draws.among([each, draws.among(solution), draws.below(13)]) for each in solution]
    return {"g": g, "m": m, "s": s}


def _feasible(m: Sequence[int], s: Sequence[int]) -> bool:
    return min(s) >= 0 and all(total <= each for total, each in zip(accumulate(s), m))


def _sum(g: F, s: Sequence[int]) -> F:
    return sum((g**each for each in s), F(0))


FEASIBLE = "q' is feasible"
IS_FEASIBLE: dict[str, Callable[..., bool]] = {FEASIBLE: lambda g, m, s: _feasible(m, s)}


def _solved(g: F, m: list[int], s: list[int]) -> bool:
    """The construction is feasible, does not rise, and every other feasible choice is worse."""
    solution = _slopes(m)[0]
    falls = all(first <= second for first, second in pairwise(solution))
    best = solution == s or _sum(g, solution) < _sum(g, s)
    return falls and _feasible(m, solution) and best


def _constant(m: Sequence[int]) -> int:
    """The exponent of the least constant that is feasible."""
    return min(each // k for k, each in enumerate(m, 1))


OPTIMUM = Statement(
    family=limits,
    given=IS_FEASIBLE,
    holds=lambda g, m, s, solved_constant=False, worse=False: (
        _solved(g, m, s)
        and (not solved_constant or (len(m) * g ** _constant(m) <= _sum(g, s)))
        and (not worse or (_sum(g, _slopes(m)[0]) < _sum(g, s)))
    ),
    too_strong={
        "solved by a constant q": {"solved_constant": True},
        "q' is worse": {"worse": True},
    },
    too_weak=[FEASIBLE],
)


def _counted(g: F, m: list[int], s: list[int], less: int = 0) -> bool:
    """At most N (N + 1)/2 slopes and N roots."""
    _, computed, roots = _slopes(m)
    size = len(m)
    return computed <= size * (size + 1) // 2 - less and roots <= size


def points(draws: Draws) -> Instance:
    """Two choices of one to three numbers q_k, q'_k in (0, 1], a weight w = j/n with n = 2 or 3,
    and a limit c, at most the smaller one of the two products.
    """
    size = 1 + draws.below(3)
    numbers = [F(1), F(1, 2), F(1, 4), F(3, 4), F(9, 10)]
    q, other = ([draws.among(numbers) for _ in range(size)] for _ in range(2))
    n = 2 + draws.below(2)
    least = min(prod(q, start=ONE), prod(other, start=ONE))
    return {"q": q, "other": other, "j": 1 + draws.below(n - 1), "n": n, "c": least}


def _convex(q: list[F], other: list[F], j: int, n: int, c: F, strictly: bool = False) -> bool:
    """-sum log at the mean is at most the mean of both; so the mean meets a limit that both meet,
    is in (0, 1], and has the mean of both sums.
    """
    mean = [(j * x + (n - j) * y) / n for x, y in zip(q, other)]
    left = prod(mean, start=ONE) ** n
    right = prod(q, start=ONE) ** j * prod(other, start=ONE) ** (n - j)
    linear = n * sum(mean) == j * sum(q) + (n - j) * sum(other)
    inside = all(0 < each <= 1 for each in mean) and prod(mean, start=ONE) >= c
    return linear and inside and (left > right if strictly else left >= right)


PROGRAM = {
    "convex": Statement(
        family=points,
        given={
            "c is at most both products": lambda q, other, c, **_: (
                c <= min(prod(q, start=ONE), prod(other, start=ONE))
            )
        },
        holds=_convex,
        too_strong={"strictly": {"strictly": True}},
    ),
    "solved from at most |M| (|M|+1)/2 slopes": Statement(
        family=limits,
        given=IS_FEASIBLE,
        holds=lambda one_slope_less=False, **at: (
            (_counted(**at) and _solved(**at)) and (not one_slope_less or (_counted(**at, less=1)))
        ),
        too_strong={"one slope less": {"one_slope_less": True}},
        too_weak=[FEASIBLE],
    ),
}


def _lowered(m: Sequence[int]) -> list[int]:
    """The least constant, lowered behind the last record at which it is least."""
    s = _constant(m)
    last = max(k for k, each in enumerate(m, 1) if each == k * s)
    room = min(each - k * s for k, each in enumerate(m, 1) if k > last)
    return [s + room if k == last + 1 else s for k in range(1, len(m) + 1)]


def _optimal_constant(g: F, m: list[int], s: list[int], first: bool = False) -> bool:
    """If m_k/k is least at the last record no q' is better; else the lowered one is."""
    least = _constant(m)
    if (m[0] if first else F(m[-1], len(m))) == least:
        return len(m) * g**least <= _sum(g, s)
    if m[-1] == len(m) * least:
        return False
    lowered = _lowered(m)
    return _feasible(m, lowered) and _sum(g, lowered) < len(m) * g**least


WHERE_CONSTANT = Statement(
    family=limits,
    given=IS_FEASIBLE,
    holds=_optimal_constant,
    too_strong={"least at the first record": {"first": True}},
    too_weak=[FEASIBLE],
)


def figure_choices(draws: Draws) -> Instance:
    """The chain of the figures, p = 1, n from 4 to 6, budgets between e^(1/2) and e^(13/10), and
    q_2, q_3, often with the least product that is feasible.
    """
    n, E = 4 + draws.below(3), draws.among([F(2), F(5, 3), F(5, 2), F(3), F(7, 2), F(18, 5)])
    split = regions(FIGURES, n, 1, E, E)
    limit = delta(FIGURES, 1, split, 3) / E
    first = F(1 + draws.below(40), 40)
    second = draws.among([limit / first, F(1 + draws.below(40), 40)])
    return {"n": n, "E": E, "q": [first, second]}


def _is_feasible(n: int, E: F, q: Sequence[F]) -> bool:
    split = regions(FIGURES, n, 1, E, E)
    limits_at = [delta(FIGURES, 1, split, t) / E for t in (2, 3)]
    return max(q) <= 1 and q[0] >= limits_at[0] and q[0] * q[1] >= limits_at[1]


def _constant_is_best(n: int, E: F, q: Sequence[F], factor: F = ONE) -> bool:
    """M is {2, 3}; the constant root of c_3 is feasible, and its sum at most that of q."""
    split = regions(FIGURES, n, 1, E, E)
    first, last = (delta(FIGURES, 1, split, t) / E for t in (2, 3))
    return medium(split) == [2, 3] and last >= first**2 and sum(q) ** 2 >= factor * 4 * last


OBSERVED = {
    "for some parameters, M of two records": Statement(
        family=figure_choices,
        given={"q is feasible": _is_feasible},
        holds=_constant_is_best,
        too_strong={"by a hundredth": {"factor": F(101, 100)}},
        too_weak=["q is feasible"],
    ),
    "for all parameters, lam <= 0": Statement(
        family=first_records,
        given={NOT_POSITIVE: lambda of, **_: of.eigenvalue <= 0},
        holds=lambda of, E, split, q: len({*q.values()}) <= 1 and len(medium(split)) <= 1,
        too_weak=[NOT_POSITIVE],
    ),
}
