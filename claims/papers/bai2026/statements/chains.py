"""Section 6.3: binary chains with their curves by trying all sets of records, quilts, and Laplace
noise on chains.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.chains import (
    chain,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    HALF,
    ONE,
    ZERO,
    at_most,
    largest_ratio,
    push,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.curves import (
    Pair,
    dagger,
    larger_star,
    largest,
    one_way,
    shown_sets,
    star,
)

F = Fraction
STEPS = [F(1, 2), F(2, 3), F(1, 3), F(3, 4), F(1, 4), F(4, 5), F(1, 5), F(1, 12), F(9, 10)]
SIZES = [(3, 1), (3, 1), (4, 1), (2, 1), (5, 2), (1, 1), (3, 2)]


def stationary(p: F, q: F) -> tuple[list[F], list[list[F]]]:
    """Return start and transition of the stationary chain of bits."""
    stay = (1 - q) / (2 - p - q)
    return [stay, 1 - stay], [[p, 1 - p], [1 - q, q]]


def stationary_share(p: F, q: F) -> F:
    """Return the stationary P(X_t = 0)."""
    return (1 - q) / (2 - p - q)


def started(draws: Draws, p: F, q: F) -> F:
    """Choose P(X_1 = 0): stationary mostly, else one that is not."""
    return draws.among([stationary_share(p, q)] * 6 + [F(1, 20), F(3, 4)])


STATIONARY = "the start is stationary"


def _stationary(p: F, q: F, start: F, **_: object) -> bool:
    return start == stationary_share(p, q)


@cache
def pairs_of_values(p: F, q: F, start: F, T: int) -> list[Pair]:
    """Return the pairs X_i = 0 against 1 and 1 against 0, for every record."""
    found: list[Pair] = []
    law = sequences([start, 1 - start], [[p, 1 - p], [1 - q, q]], T)
    for i in range(1, T + 1):
        laws = given_values(law, i)
        found += [[(laws[0], laws[1])], [(laws[1], laws[0])]]
    return found


@cache
def curve(p: F, q: F, start: F, T: int, b: int, ordered: bool = False) -> F | None:
    """Return e^a*(b), by definition; `ordered` leaves out 1 against 0."""
    found = star if ordered else larger_star
    return largest([found(pair, T, b) for pair in pairs_of_values(p, q, start, T)[::2]])


def term(p: F, q: F, d: int, other: bool = False) -> F:
    """Return e^|log[(z + lam^d (1 - z))/(z - lam^d z)]|; `other` takes the larger pi for z."""
    pi0 = (1 - q) / (2 - p - q)
    z = pi0 if (q > p) != other else 1 - pi0
    ratio = (z + (p + q - 1) ** d * (1 - z)) / (z - (p + q - 1) ** d * z)
    return max(ratio, 1 / ratio)


def printed(p: F, q: F, b: int, other: bool = False) -> F:
    """Return the printed sum, as a ratio."""
    return term(p, q, (b + 1) // 2, other) * term(p, q, (b + 2) // 2, other)


def binary_chains(draws: Draws) -> Instance:
    """p and q from 1/12 to 9/10, equal ones often and p + q = 1 too; the law of X_1, stationary
    mostly; b = 1 or rarely 2, and T from 1 to 5.
    """
    p = draws.among(STEPS)
    q = draws.among([p, p, 1 - p, draws.among(STEPS), draws.among(STEPS)])
    T, b = draws.among(SIZES)
    return {"p": p, "q": q, "start": started(draws, p, q), "T": T, "b": b}


LAM, LONG = "p + q >= 1", "T >= 2 b + 1"


def _powers(p: F, q: F, k: int, lam: F) -> bool:
    """Whether the chain is reversible and its powers are as printed."""
    (pi0, pi1), P = stationary(p, q)
    power = [[ONE, ZERO], [ZERO, ONE]]
    for _ in range(k):
        power = [[sum(row[j] * P[j][y] for j in range(2)) for y in range(2)] for row in power]  # type: ignore[misc]
    claimed = [
        [pi0 + lam**k * (1 - pi0), pi1 - lam**k * pi1],
        [pi0 - lam**k * pi0, pi1 + lam**k * (1 - pi1)],
    ]
    return power == claimed and pi0 * P[0][1] == pi1 * P[1][0]


def steps_of_chains(draws: Draws) -> Instance:
    """p and q from 1/15 to 9/10, equal ones and p + q = 1 often, and k from 1 to 4."""
    p = draws.among([*STEPS, F(1, 15)])
    q = draws.among([p, 1 - p, draws.among(STEPS), F(1, 15)])
    return {"p": p, "q": q, "k": 1 + draws.below(4)}


POWERS = Statement(
    family=steps_of_chains,
    holds=lambda p, q, k, number=1: _powers(p, q, k, p + q - number),
    too_strong={"the eigenvalue p + q - 1/2": {"number": HALF}},
    always="an identity of polynomials in p and q",
)


def _one_value(p: F, q: F, k: int, value: int) -> F:
    """e^|log(P^k_0v/P^k_1v)|, by the laws of the records."""
    law = sequences(*stationary(p, q), k + 1)
    first, second = (marginal(each, [k + 1]) for each in given_values(law, 1).values())
    ratio = first[(value,)] / second[(value,)]
    return max(ratio, 1 / ratio)


ORDERED = "q >= p"
WORST_VALUE = Statement(
    family=steps_of_chains,
    given={ORDERED: lambda p, q, k: q >= p},
    holds=lambda p, q, k, strictly=False: (
        (_one_value(p, q, k, 0) >= _one_value(p, q, k, 1))
        and (not strictly or (_one_value(p, q, k, 0) > _one_value(p, q, k, 1)))
    ),
    too_strong={"strictly": {"strictly": True}},
    too_weak=[ORDERED],
)


def _worst(p: F, q: F, k: int) -> F:
    return max(_one_value(p, q, k, value) for value in range(2))


def _convex(p: F, q: F, k: int, concave: bool = False) -> bool:
    """Whether the log-ratios are convex at k, and the even split has the least sum, by powers."""
    near, middle, far = (term(p, q, k + step) for step in range(3))
    if near != _worst(p, q, k):
        return False
    splits = [term(p, q, d) * term(p, q, k + 1 - d) for d in range(1, k + 1)]
    even = printed(p, q, k) == min(splits)
    return even and (near * far <= middle**2 if concave else near * far >= middle**2)


CONVEX = Statement(
    family=steps_of_chains,
    given={LAM: lambda p, q, k: p + q >= 1},
    holds=_convex,
    too_strong={"concave": {"concave": True}},
    too_weak=[LAM],
)


def inner_records(draws: Draws) -> Instance:
    """p and q, as above, b = 0 to 2, a record i with b records or mostly so on either side, and T
    up to 5; the law of X_1, stationary mostly; an order of the two values.
    """
    p = draws.among(STEPS)
    q = draws.among([p, 1 - p, draws.among(STEPS), draws.among(STEPS)])
    T, i, b = draws.among(
        [(3, 2, 1), (4, 2, 1), (4, 3, 1), (3, 1, 1), (5, 3, 2), (2, 1, 0), (3, 2, 0), (1, 1, 1)]
    )
    start = started(draws, p, q)
    return {"p": p, "q": q, "start": start, "T": T, "i": i, "b": b, "back": draws.whether()}


@cache
def _by_ends(p: F, q: F, start: F, T: int, i: int, b: int, back: bool, hidden: int) -> F | None:
    """The least a_dagger of two records that hide a block of so many records around X_i."""
    pair = pairs_of_values(p, q, start, T)[2 * (i - 1) + back]
    found = []
    for left in range(1, hidden + 1):
        ends = [i - left - 1, i + hidden + 1 - left - 1]
        if ends[0] >= 0 and ends[1] < T:
            found.append(dagger(pair, ends))
    known = [each for each in found if each is not None]
    return min(known, default=None)


@cache
def _by_all(p: F, q: F, start: F, T: int, i: int, b: int, back: bool) -> F | None:
    return star(pairs_of_values(p, q, start, T)[2 * (i - 1) + back], T, b)


@cache
def _same_elsewhere(p: F, q: F, start: F, i: int, b: int, back: bool) -> bool:
    """Whether the two records in the middle of a longer chain have the same curve as X_i there."""
    T = 2 * b + 2
    return _by_all(p, q, start, T, b + 1, b, back) == _by_all(p, q, start, T, b + 2, b, back)


AWAY, HIDDEN = "X_i has b records on either side", "b >= 1"
BLOCK = Statement(
    family=inner_records,
    given={
        STATIONARY: _stationary,
        AWAY: lambda p, q, start, T, i, b, back: i > b and i + b <= T,
        HIDDEN: lambda p, q, start, T, i, b, back: b >= 1,
    },
    holds=lambda p, q, start, T, i, b, back, record_less_hidden=False: (
        (
            _by_all(p, q, start, T, i, b, back) == _by_ends(p, q, start, T, i, b, back, b)
            and (b > 1 or _same_elsewhere(p, q, start, i, b, back))
        )
        and (
            not record_less_hidden
            or (
                b > 1
                and _by_all(p, q, start, T, i, b, back)
                == _by_ends(p, q, start, T, i, b, back, b - 1)
            )
        )
    ),
    too_strong={"a record less hidden": {"record_less_hidden": True}},
    too_weak=[STATIONARY, AWAY],
)


def two_chains(draws: Draws) -> Instance:
    """Two numbers p and r from 1/12 to 9/10, on the same side of 1/2 or on both, and the start, b
    and T as above.
    """
    p = draws.among(STEPS)
    T, b = draws.among(SIZES)
    r = draws.among([*STEPS, p, 1 - p])
    return {"p": p, "r": r, "start": started(draws, p, p), "T": T, "b": b}


def _farther(p: F, r: F, start: F, T: int, b: int) -> bool:
    """Whether r has the larger curve, and 1 - p the same one as p."""
    near, far, other = (curve(x, x, start, T, b) for x in (p, r, 1 - p))
    return at_most(near, far) and near == other


FARTHER = "r is at least as far from 1/2 as p"
SPREADS = Statement(
    family=two_chains,
    given={
        STATIONARY: lambda start, **_: start == HALF,
        LONG: lambda p, r, start, T, b: T >= 2 * b + 1,
        FARTHER: lambda p, r, start, T, b: abs(r - HALF) >= abs(p - HALF),
    },
    holds=lambda p, r, start, T, b, strictly=False, alone=False: (
        _farther(p, r, start, T, b)
        and (not strictly or (not at_most(curve(r, r, start, T, b), curve(p, p, start, T, b))))
        and (
            not alone
            or (
                at_most(
                    curve(p, F(2, 3), stationary_share(p, F(2, 3)), T, b),
                    curve(r, F(2, 3), stationary_share(r, F(2, 3)), T, b),
                )
            )
        )
    ),
    too_strong={"strictly": {"strictly": True}, "p alone, q = 2/3": {"alone": True}},
    too_weak=[FARTHER],
)
EXCHANGED = Statement(
    family=binary_chains,
    holds=lambda p, q, start, T, b, other=False: (
        (curve(p, q, start, T, b) == curve(q, p, 1 - start, T, b))
        and (
            not other
            or (
                curve(p, q, start, T, b)
                == curve(1 - p, 1 - q, stationary_share(1 - p, 1 - q), T, b)
            )
        )
    ),
    too_strong={"1 - p and 1 - q too": {"other": True}},
    always="both sides are the same with the two values renamed",
)


def near_half(draws: Draws) -> Instance:
    """h is 0, 1/20, 1/10 or 1/7, and p and q within h of 1/2, the ends often; the start, b and T
    as above.
    """
    h = draws.among([F(1, 10), F(1, 7), F(1, 20), ZERO])
    p, q = (HALF + h * draws.among([ONE, -ONE, ZERO, HALF]) for _ in range(2))
    T, b = draws.among(SIZES)
    return {"h": h, "p": p, "q": q, "start": started(draws, p, q), "T": T, "b": b}


NEAR_ORIGIN = Statement(
    family=near_half,
    given={
        STATIONARY: _stationary,
        "h < 1/4": lambda h, **_: h < F(1, 4),
        "p and q are within h of 1/2": lambda h, p, q, **_: max(abs(p - HALF), abs(q - HALF)) <= h,
    },
    holds=lambda h, p, q, start, T, b, with_=False: at_most(
        curve(p, q, start, T, b),
        ((1 + (h if with_ else 4 * h)) / (1 - (h if with_ else 4 * h))) ** 2,
    ),
    too_strong={"with h for 4 h": {"with_": True}},
)


def any_chain(draws: Draws) -> Instance:
    """The law of one to four records of a chain of two or three values, deterministic and periodic
    ones often, a record i, and a set of other records.
    """
    start, step = chain(draws, states=2 + draws.below(3) // 2)
    T = 1 + draws.below(4)
    i = 1 + draws.below(T)
    others = draws.several([j for j in range(1, T + 1) if j != i])
    return {"law": sequences(start, step, T), "i": i, "others": others}


def _in_all_orders(
    law: Mapping[tuple[int, ...], F], i: int, others: Sequence[int], one_order: bool = False
) -> F | None:
    """The largest |log| of the ratios for values a and b of X_i, in all orders or for a < b."""
    laws = [marginal(each, others) for each in given_values(law, i).values()]
    found = []
    for n, p in enumerate(laws):
        for q in laws[n + 1 :] if one_order else laws:
            found += [one_way(p, q)] if one_order else [one_way(p, q), one_way(q, p)]
    return largest(found)


BOTH_ORDERS = Statement(
    family=any_chain,
    holds=lambda law, i, others, before_alone=False: (
        (
            _in_all_orders(law, i, others, one_order=True)
            if before_alone
            else _in_all_orders(law, i, others)
        )
        == influence(law, i, others)
        and at_most(ONE, influence(law, i, others))
    ),
    too_strong={"a before b alone": {"before_alone": True}},
)


def noisy_queries(draws: Draws) -> Instance:
    """The law of one to four records of a chain of bits or three values, a record i, a quilt of a
    record before and one after it, or one of them or none, a query F that one record changes by at
    most 1, r from 1/3 to 3/4, where e^-eps_DP = r^2, and an output w, a multiple of 1/2.
    """
    drawn = any_chain(draws)
    law, i = drawn["law"], drawn["i"]
    T = len(next(iter(law)))
    left, right = draws.below(i), i + 1 + draws.below(T - i + 1)
    weights = [draws.among([1, -1, 0]) for _ in range(T)]
    kind = draws.below(3)
    F_ = {
        x: sum(c * min(v, 1) for c, v in zip(weights, x)) if kind else min(sum(x), 1) for x in law
    }
    return {
        "law": law,
        "i": i,
        "left": left,
        "right": right,
        "query": F_,
        "r": draws.rate([HALF, F(1, 3), F(3, 4)]),
        "w": draws.below(4 * T + 1) - 2 * T,
    }


def _noise(
    law: Mapping[tuple[int, ...], F],
    i: int,
    left: int,
    right: int,
    query: Mapping[tuple[int, ...], int],
    r: F,
    w: int,
    factor: F = ONE,
    paid: bool = True,
    trivial: bool = False,
) -> bool:
    """Whether the densities at w/2 given two values of X_i are within e^eps_puffer, which is
    e(X_Q | X_i) + card(X_N) eps_DP for the quilt.
    """
    T = len(next(iter(law)))
    quilt = [j for j in (left, right) if 1 <= j <= T]
    nearby = min(right, T + 1) - max(left, 0) - 1
    told = influence(law, i, quilt) if paid else ONE
    densities = [
        sum((p * r ** abs(w - 2 * query[x]) for x, p in each.items()), ZERO)
        for each in given_values(law, i).values()
    ]
    found = max(densities) / min(densities)
    return told is None or found <= max(ONE, factor * told / r ** (2 * nearby))


MQM = Statement(
    family=noisy_queries,
    holds=lambda influence_not_paid=False, eps_puffer=False, **each: (
        (
            _noise(**each)
            and _noise(**each | {"left": 0, "right": len(next(iter(each["law"]))) + 1})
            and influence(each["law"], each["i"], []) == 1
        )
        and (not influence_not_paid or (_noise(**each, paid=False)))
        and (not eps_puffer or (_noise(**each, factor=ALMOST)))
    ),
    too_strong={
        "the influence not paid": {"influence_not_paid": True},
        "99/100 of e^eps_puffer": {"eps_puffer": True},
    },
)


def promised_chains(draws: Draws) -> Instance:
    """The law of one to four records of a chain, as above, a record i, and E from 3/2 to 16."""
    drawn = any_chain(draws)
    return {"law": drawn["law"], "i": drawn["i"], "E": draws.among([F(4), F(2), F(16), F(3, 2)])}


def _quilts(i: int, T: int) -> list[tuple[list[int], int]]:
    """All quilts of X_i on a chain, with the number of nearby records."""
    return [
        ([j for j in (left, right) if 1 <= j <= T], right - left - 1)
        for left in range(i)
        for right in range(i + 1, T + 2)
    ]


def _best(options: Sequence[tuple[F | None, int]], E: F) -> tuple[F, int] | None:
    """The largest (eps_puffer - value)/number of those with value below eps_puffer, as e^(number
    times it) and number; compared as powers.
    """
    found = None
    for value, number in options:
        if value is not None and value < E:
            spare = E / value
            if found is None or spare ** found[1] > found[0] ** number:
                found = (spare, number)
    return found


def _same_level(law: Mapping[tuple[int, ...], F], i: int, E: F, shorter: bool = False) -> bool:
    T = len(next(iter(law)))
    quilts = [(influence(law, i, Q), near) for Q, near in _quilts(i, T)]
    values = list(given_values(law, i).values())
    pair = [(p, q) for n, p in enumerate(values) for m, q in enumerate(values) if n != m]
    sets = [(dagger(pair, L), T - len(L)) for L in shown_sets(T, T - 1 if shorter else T)]
    first, second = _best(quilts, E), _best([each for each in sets if each[1]], E)
    if first is None or second is None:
        return first is second
    return first[0] ** second[1] == second[0] ** first[1]


TWO_VALUES = "X_i has two possible values"
QUILTS = Statement(
    family=promised_chains,
    given={TWO_VALUES: lambda law, i, E: len(given_values(law, i)) > 1},
    holds=_same_level,
    too_strong={"for L that are not empty": {"shorter": True}},
)


def blocks_of_entries(draws: Draws) -> Instance:
    """One to three bits of any law with zeros, an entry of a set H of entries; the others are
    independent of those in H, or of the entry, or mostly not.
    """
    n = 1 + draws.below(3)
    H = draws.several(range(n)) or [0]
    tables = list(product(range(2), repeat=n))
    kind = draws.below(3)
    if kind < 2:
        first, second = draws.law(2**n, 2), draws.law(2**n, 2)
        inside = push(dict(zip(tables, first)), lambda x: tuple(x[j] for j in H))
        rest = [j for j in range(n) if j not in H]
        outside = push(dict(zip(tables, second)), lambda x: tuple(x[j] for j in rest))
        law = {
            x: inside.get(tuple(x[j] for j in H), ZERO)
            * outside.get(tuple(x[j] for j in rest), ZERO)
            for x in tables
        }
    else:
        law = dict(zip(tables, draws.law(2**n, 2)))
    law = {x: p for x, p in law.items() if p}
    return {"law": law, "n": n, "H": H, "entry": draws.among(H)}


def _values_of(law: Mapping[tuple[int, ...], F], entry: int) -> list[Pair]:
    laws = list(given_values(law, entry + 1).values())
    return [[(p, q)] for n, p in enumerate(laws) for m, q in enumerate(laws) if n != m]


def _independent(law: Mapping[tuple[int, ...], F], n: int, H: Sequence[int], entry: int) -> bool:
    """Whether the entries outside H have one law given every value of the entry."""
    rest = [j + 1 for j in range(n) if j not in H]
    laws = [marginal(each, rest) for each in given_values(law, entry + 1).values()]
    return all(each == laws[0] for each in laws)


ONE_LAW = "all entries outside H have one law given every value of the entry"
DEPENDENT = Statement(
    family=blocks_of_entries,
    given={ONE_LAW: _independent},
    holds=lambda law, n, H, entry, less=0: all(
        star(pair, n, (len(H) - less)) == 1 for pair in _values_of(law, entry)
    ),
    too_strong={"a(k - 1) = 0": {"less": 1}},
    too_weak=[ONE_LAW],
)


def _all_others(
    law: Mapping[tuple[int, ...], F], n: int, H: object, entry: int, least: int = 1
) -> bool:
    """Whether the largest ratio of all other records bounds a*(b) for every b from `least`."""
    B = largest_ratio(
        [
            marginal(each, [j + 1 for j in range(n) if j != entry])
            for each in given_values(law, entry + 1).values()
        ]
    )
    return all(
        at_most(star(pair, n, b), B) for pair in _values_of(law, entry) for b in range(least, n + 1)
    )


INFERENTIAL = Statement(
    family=blocks_of_entries, holds=_all_others, too_strong={"for b = 0 too": {"least": 0}}
)
