"""Sections 6.4 and 7.1: Laplace noise, exponential draws, the two algorithms and rankings.

Noise has e^(-eps_DP/L) = r^2 for a rational r; queries are integers and outputs multiples of 1/2,
so that densities are rational up to a factor that all databases share. Exponential draws have the
weights rho^u.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import Table, distance
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.background import ALL_TABLES, has_all_tables
from pufferproof.claims.papers.bai2026.statements.curves import (
    curves,
    domain,
    leaks,
    star,
)

F = Fraction


def queries(draws: Draws) -> Instance:
    """All tables of one or two cells of two or three values, rarely of three bits, with a pair of
    secrets, priors and b as for curves; a query of one or two integers from 0 to 3; L, the most
    that one cell changes it in l1, or half more, or in one case of eight less; r from 1/3 to 3/4;
    one or two outputs.
    """
    drawn = curves(draws)
    U = domain(drawn["n"], drawn["pair"])
    return drawn | _query(draws, U, lambda x, y: distance(x, y) == 1)


def _query(draws: Draws, U: Sequence[Table], near: Callable[[Table, Table], bool]) -> Instance:
    size = 1 + draws.below(2)
    answers = {x: tuple(draws.below(4) for _ in range(size)) for x in U}
    changes = [F(_l1(answers[x], answers[y]), distance(x, y)) for x in U for y in U if near(x, y)]
    most = max([ONE, *changes])
    L = most + HALF * draws.below(2)
    if draws.below(8) == 7:
        L = max(HALF, most - 1)
    outputs = [tuple(draws.below(9) - 1 for _ in range(size)) for _ in range(1 + draws.below(2))]
    return {"query": answers, "L": L, "r": draws.rate([HALF, F(1, 3), F(3, 4)]), "at": outputs}


def _l1(x: Sequence[int], y: Sequence[int]) -> int:
    return sum(abs(a - b) for a, b in zip(x, y))


def _densities(query: Mapping[Table, Table], r: F, at: Sequence[Table]) -> list[list[F]]:
    """The joint density at two outputs, or the one at one, for every table."""
    return [
        [prod((r ** sum(abs(w - 2 * f) for w, f in zip(out, answer)) for out in at), start=ONE)]
        for answer in query.values()
    ]


APART: Instance = {"n": 2, "pair": [({(1, 1): ONE}, {(0, 0): ONE})], "b": 2}
"""Two tables that differ in both cells, with nothing between them."""
APART_NOISE = APART | {"query": {(0, 0): (0,), (1, 1): (3,)}, "L": ONE, "r": HALF, "at": [(6,)]}
APART_SCORES = APART | {"u": {(0, 0): [0, 9], (1, 1): [9, 0]}, "Delta": 1, "rho": F(2), "runs": 1}
APART_POINTS: Instance = {"collection": [(ONE, 2)], "E": F(16), "R": F(4)}
_ALL_ANSWERED: Instance = {ALL_TABLES: lambda query, **_: has_all_tables(list(query))}
_ALL_SCORED: Instance = {ALL_TABLES: lambda u, **_: has_all_tables(list(u))}


def scores(draws: Draws) -> Instance:
    """All tables of one or two cells of two or three values, rarely of three bits, with a pair of
    secrets, priors and b as for curves; two or three outputs with scores from 0 to 3; Delta, the
    most that one cell changes a score, or more, or rarely less; rho = e^(eps_DP/(2 Delta)); one or
    two runs.
    """
    return _scored(draws, lambda x, y: distance(x, y) == 1)


def _scored(draws: Draws, near: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> Instance:
    drawn = curves(draws)
    U = domain(drawn["n"], drawn["pair"])
    outputs = 2 + draws.below(2)
    u = {x: [draws.below(4) for _ in range(outputs)] for x in U}
    changes = [abs(a - b) for x in U for y in U if near(x, y) for a, b in zip(u[x], u[y])]
    Delta = max(1, *changes) + draws.below(8) // 7
    if draws.below(8) == 7:
        Delta = max(1, Delta - 2)
    return drawn | {
        "u": u,
        "Delta": Delta,
        "rho": draws.among([F(2), F(3, 2), F(5)]),
        "runs": 1 + draws.below(4) // 3,
    }


def _drawn(u: Mapping[Table, Sequence[int]], rho: F, runs: int) -> list[list[F]]:
    rows = []
    for each in u.values():
        weights = [rho**score for score in each]
        row = [weight / sum(weights) for weight in weights]
        rows.append([prod(some, start=ONE) for some in product(row, repeat=runs)])
    return rows


def _collected(draws: Draws, drawn: Instance, least: int, R: F) -> Instance:
    """Draw a collection of points (a_l, b_l) of the curve, and E among the ratios that the points
    promise at R.
    """
    n, pair = drawn["n"], drawn["pair"]
    collection = [draws.below(n + 1) for _ in range(least + draws.below(3))]
    values = [(star(pair, n, b), b) for b in collection]
    promises = [R**n, *(value * R**b for value, b in values if value is not None)]
    E = max(promises) if draws.whether() else draws.among(promises)
    if draws.below(8) == 7:
        E = max(ONE, E / 2)
    return drawn | {"collection": values, "E": E, "R": R}


def noisy_collections(draws: Draws) -> Instance:
    """A query, priors and an output as for Laplace noise, with L as it should be; R = e^eps_DP; a
    collection of one to three points of the curve, a(0) often infinite; E = e^eps_puffer, one of
    the promises of R, or rarely half of it.
    """
    drawn = queries(draws)
    U = list(drawn["query"])
    steps = [_l1(drawn["query"][x], drawn["query"][y]) for x in U for y in U if distance(x, y) == 1]
    drawn |= {"L": max([1, *steps])}
    return _collected(draws, drawn, 1, drawn["r"] ** (-2 * drawn["L"]))


def scored_collections(draws: Draws) -> Instance:
    """Scores, priors and one run as for exponential draws, with Delta as it should be; R =
    e^eps_DP; a collection and E as above.
    """
    drawn = scores(draws)
    u = drawn["u"]
    steps = [abs(a - c) for x in u for y in u if distance(x, y) == 1 for a, c in zip(u[x], u[y])]
    drawn |= {"Delta": max([1, *steps]), "runs": 1}
    return _collected(draws, drawn, 1, drawn["rho"] ** (2 * drawn["Delta"]))


def noisy_or_empty(draws: Draws) -> Instance:
    """A query, priors, an output, a collection and E as above; or an empty collection, with the
    promise of all cells.
    """
    drawn = noisy_collections(draws)
    return _emptied(draws, drawn)


def scored_or_empty(draws: Draws) -> Instance:
    """Scores, priors, a collection and E as above; or an empty collection, with the promise of all
    cells.
    """
    drawn = scored_collections(draws)
    return _emptied(draws, drawn)


def _emptied(draws: Draws, drawn: Instance) -> Instance:
    if draws.below(6) < 5:
        return drawn
    return drawn | {"collection": [], "E": drawn["R"] ** drawn["n"]}


def _at_most_printed(
    n: int, collection: list[tuple[F | None, int]], E: F, R: F, **_: object
) -> bool:
    """Whether eps_DP is at most what Algorithm 1 takes, the least over the points."""
    return all(
        R**n <= E if value is None or value >= E else value * R**b <= E for value, b in collection
    )


def _at_most_repaired(
    n: int, collection: list[tuple[F | None, int]], E: F, R: F, **_: object
) -> bool:
    """Whether eps_DP is at most eps_puffer/|I|, or what some point with a_l < eps_puffer and b_l >
    0 allows.
    """
    return R**n <= E or any(
        b and value is not None and value < E and value * R**b <= E for value, b in collection
    )


def _noise_at(factor: F = ONE, **each: Any) -> bool:
    found = leaks(
        each["pair"], list(each["query"]), _densities(each["query"], each["r"], each["at"][:1])
    )
    return at_most(found, factor * each["E"])


def _draw_at(factor: F = ONE, **each: Any) -> bool:
    found = leaks(each["pair"], list(each["u"]), _drawn(each["u"], each["rho"], 1))
    return at_most(found, factor * each["E"])


def _no_more_noise(**each: Any) -> bool:
    """Whether eps_DP is at most what is taken if it is at most what Algorithm 1 as printed takes,
    for one point or more, all with b_l > 0.
    """
    points = each["collection"]
    defined = bool(points) and all(b for _, b in points)
    return not defined or not _at_most_printed(**each) or _at_most_repaired(**each)


PRINTED = "eps_DP is at most the least that the points allow"
REPAIRED = "eps_DP is at most the largest that a point, or eps_puffer/|I|, allows"
ALGORITHM_1 = Statement(
    family=noisy_collections,
    computed=["r"],
    edges=[APART_NOISE | APART_POINTS],
    given={**_ALL_ANSWERED, PRINTED: _at_most_printed},
    holds=_noise_at,
    too_strong={"99/100 of e^eps_puffer": {"factor": ALMOST}},
    too_weak=[PRINTED, ALL_TABLES],
)
ALGORITHM_2 = Statement(
    family=scored_collections,
    edges=[APART_SCORES | APART_POINTS],
    given={**_ALL_SCORED, PRINTED: _at_most_printed},
    holds=_draw_at,
    too_strong={"2/3 of e^eps_puffer": {"factor": F(2, 3)}},
    too_weak=[PRINTED, ALL_TABLES],
)
ALGORITHM_1_REPAIRED = Statement(
    family=noisy_or_empty,
    computed=["r"],
    edges=[APART_NOISE | APART_POINTS],
    given=_ALL_ANSWERED,
    holds=lambda eps_puffer=False, by=_no_more_noise, **each: (
        (
            not _at_most_repaired(**each)
            or (_noise_at(factor=ALMOST, **each) if eps_puffer else _noise_at(**each))
        )
        and by(**each)
    ),
    too_strong={
        "99/100 of e^eps_puffer": {"eps_puffer": True},
        "for every eps_DP": {"by": _noise_at},
    },
    too_weak=[ALL_TABLES],
)
ALGORITHM_2_REPAIRED = Statement(
    family=scored_or_empty,
    edges=[APART_SCORES | APART_POINTS],
    given={**_ALL_SCORED, REPAIRED: _at_most_repaired},
    holds=_draw_at,
    too_strong={"2/3 of e^eps_puffer": {"factor": F(2, 3)}},
    too_weak=[REPAIRED, ALL_TABLES],
)


def counted(draws: Draws) -> Instance:
    """Counts of two to four labels over one to four records, another label for one record, K from
    1 to 3 or to the number of labels, and rho = e^(eps_DP/(2 K)) from 3/2 to 20.
    """
    m = 2 + draws.below(3)
    counts = [draws.below(3) for _ in range(m)]
    old = draws.below(m)
    counts[old] += 1
    new = draws.among([label for label in range(m) if label != old])
    after = [c - (label == old) + (label == new) for label, c in enumerate(counts)]
    K = 1 + draws.below(min(3, m))
    return {"before": counts, "after": after, "K": K, "rho": draws.among([F(2), F(3, 2), F(20)])}


def _rankings(counts: Sequence[int], K: int, rho: F) -> list[F]:
    """The probability of every ranking of K labels, drawn without replacement."""
    found = []
    for ranking in permutations(range(len(counts)), K):
        left, chance = sum((rho**c for c in counts), ZERO), ONE
        for label in ranking:
            chance *= rho ** counts[label] / left
            left -= rho ** counts[label]
        found.append(chance)
    return found


def _ranks_keep(before: list[int], after: list[int], K: int, rho: F, exponent: int = 2) -> bool:
    level = rho ** (exponent * K)
    p, q = _rankings(before, K, rho), _rankings(after, K, rho)
    return all(a <= level * b and b <= level * a for a, b in zip(p, q))


PEELING = Statement(
    family=counted,
    holds=_ranks_keep,
    too_strong={
        "half of eps_DP": {"exponent": 1},
        "eps_DP/K": lambda K, **_: {"exponent": 1 + (K == 1)},
    },
)


def _noisy_ranking(rates: Sequence[F], ranking: Sequence[int]) -> F:
    """The probability that noisy counts rank so: the integral over v_1 > v_2 > .. of the densities
    rate v^(rate - 1), all other counts being below; v = exp(-e^(-x)) at a noisy count x times c.
    """
    exponent = sum((rate for label, rate in enumerate(rates) if label not in ranking), ZERO)
    chance = ONE
    for label in reversed(ranking):
        exponent += rates[label]
        chance *= rates[label] / exponent
    return chance


def _one_shot(
    before: list[int], after: list[int], K: int, rho: F, share: int = 1, exponent: int = 2
) -> bool:
    """Whether the K largest counts with Gumbel noise of the scale 2 K/eps_DP, or of that over
    `share`, keep eps_DP per record, and have the law of K draws without replacement.
    """
    both = []
    for counts in (before, after):
        rates = [rho ** (share * c) for c in counts]
        both.append([_noisy_ranking(rates, each) for each in permutations(range(len(rates)), K)])
    level = rho ** (exponent * K)
    kept = all(a <= level * b and b <= level * a for a, b in zip(*both))
    return kept and both == [_rankings(each, K, rho) for each in (before, after)]


ONE_SHOT = Statement(
    family=counted,
    holds=_one_shot,
    too_strong={
        "half of eps_DP": {"exponent": 1},
        "the scale 2/eps_DP": lambda **each: {"share": each["K"]},
    },
)


def noisy_counts(draws: Draws) -> Instance:
    """Counts of two to four labels before and after one record takes another label, as above; r
    from 1/3 to 3/4, and an output for each label, a multiple of 1/2 from -1 to 5.
    """
    drawn = counted(draws)
    return {
        "before": drawn["before"],
        "after": drawn["after"],
        "r": draws.rate([HALF, F(1, 3), F(3, 4)]),
        "w": [draws.below(13) - 2 for _ in drawn["before"]],
    }


def _counts_keep(before: list[int], after: list[int], r: F, w: list[int], halves: int) -> bool:
    """Whether the densities are within r^-halves, in both orders."""
    p, q = (
        prod((r ** abs(out - 2 * c) for out, c in zip(w, counts)), start=ONE)
        for counts in (before, after)
    )
    return p * r**halves <= q and q * r**halves <= p


COUNTS = Statement(
    family=noisy_counts,
    holds=lambda before, after, r, w, half_eps_dp=False: _counts_keep(
        before, after, r, w, (len(w) if half_eps_dp else 2 * len(w))
    ),
    too_strong={"half of eps_DP": {"half_eps_dp": True}},
)


def _vector(
    before: list[int], after: list[int], r: F, w: list[int], halves: int = 4, number: int = 2
) -> bool:
    """With e^(-eps_DP/2) = r^2, and with l1 distance 2."""
    return _counts_keep(before, after, r, w, halves) and _l1(before, after) <= number


VECTOR = Statement(
    family=noisy_counts,
    holds=_vector,
    too_strong={"half of eps_DP": {"halves": 2}, "l1 distance 1": {"number": 1}},
)


def levels_of_groups(draws: Draws) -> Instance:
    """Counts of two to four labels; rho and a larger or equal one; a curve of b = 1 to T from the
    values 1, 3/2, 2 or infinite, a(T) = 0; E and R.
    """
    drawn = counted(draws)
    T = 1 + draws.below(3)
    values = [draws.among([F(2), F(3, 2), ONE, None]) for _ in range(T - 1)]
    return {
        "counts": drawn["before"],
        "rho": drawn["rho"],
        "more": draws.among([ZERO, ONE, HALF]),
        "points": [*((each, b) for b, each in enumerate(values, 1) if each), (ONE, T)],
        "T": T,
        "E": draws.among([F(4), F(2), F(8)]),
        "R": draws.among([F(2), F(3, 2), ONE, F(5, 4)]),
    }


def _first_rank(counts: Sequence[int], rho: F) -> F:
    """How often a label of the largest count is ranked first, one of them."""
    return rho ** max(counts) / sum((rho**c for c in counts), ZERO)


def _larger_level(
    counts: list[int],
    rho: F,
    more: F,
    points: list[tuple[F, int]],
    T: int,
    E: F,
    R: F,
    strictly: bool = False,
) -> bool:
    """Whether R is allowed by the curve if R^T <= E, and the first rank is right no less often at
    rho + more than at rho.
    """
    allowed = any(value * R**b <= E for value, b in points)
    low, high = _first_rank(counts, rho), _first_rank(counts, rho + more)
    if R**T <= E and not allowed:
        return False
    return low < high if strictly else low <= high


LARGER_LEVEL = Statement(
    family=levels_of_groups, holds=_larger_level, too_strong={"strictly": {"strictly": True}}
)
