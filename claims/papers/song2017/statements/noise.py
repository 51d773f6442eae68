"""Laplace noise and the Markov Quilt Mechanism as programs.

rho = e^(1/sigma) is a fraction: the density of w is rho^-|w-F| up to a common factor. Between two
neighbouring values of F and beyond them a quotient of sums of such densities is monotonic in w, so
that integers w from the least to the largest F show every supremum.

The Markov Quilt Mechanism has the scale 1/log(rho) at exactly one level, the largest over i of the
least rho^card(X_N) e^e_theta(X_Q|X_i) over the quilts of X_i: every level is that of some rho.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import lcm, prod
from typing import Any

from pufferproof.claims.language.instances.chains import (
    Path,
    chain,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.frameworks import Rows, distance, neighbours, rows
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    ONE,
    ZERO,
    at_most,
    largest_ratio,
    push,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.language.statements.rationals import listed
from pufferproof.claims.papers.song2017.statements.quilts import Sides, near, nodes, sides

F = Fraction
Law = Mapping[Path, F]
Query = Mapping[Path, int]
Run = tuple[Query, F]
Estimate = Callable[[Law, int, Sides], F | None]
SCALES = [F(2), F(3), F(3, 2), F(5), F(11, 10)]


def query(draws: Draws, states: int, T: int, read: Sequence[int]) -> Query:
    """Draw a 1-Lipschitz function of some records: these in blocks, the sum of any functions of a
    block with the values 0 and 1.
    """
    blocks: list[list[int]] = []
    for k in read:
        blocks = [*blocks[:-1], [*blocks[-1], k]] if blocks and draws.whether() else [*blocks, [k]]
    tables = [
        {x: draws.below(2) for x in product(range(states)[::-1], repeat=len(each))}
        for each in blocks
    ]
    return {
        x: sum(table[tuple(x[k - 1] for k in each)] for each, table in zip(blocks, tables))
        for x in product(range(states), repeat=T)
    }


LIPSCHITZ = "the functions are 1-Lipschitz"


def is_lipschitz(table: Query) -> bool:
    """Whether one record changes a function by at most 1."""
    values = [*table.values()]
    return all(-1 <= values[i] - values[j] <= 1 for i, j in neighbours(tuple(table)))


STEEP = {(0,): 0, (1,): 2}
"""A function of one bit that is not 1-Lipschitz."""
FAIR_BIT = {(0,): F(1, 2), (1,): F(1, 2)}
TOO_STEEP: Instance = {"laws": [FAIR_BIT], "T": 1, "F": STEEP, "rho": F(2)}
ONE_FUNCTION: dict[str, Callable[..., bool]] = {LIPSCHITZ: lambda F, **_: is_lipschitz(F)}


def outputs(queries: Sequence[Query]) -> list[Path]:
    """The outputs at which ratios are extreme."""
    return list(product(*(range(min(each.values()), max(each.values()) + 1) for each in queries)))


def density(law: Law, runs: Sequence[Run], w: Path) -> F:
    """The density of the outputs w, up to the factor that all have."""
    values = push(law, lambda x: tuple(table[x] for table, _ in runs))
    return weighed(values, runs, w)


def weighed(values: Law, runs: Sequence[Run], w: Path) -> F:
    """The density of the outputs w under the law of the values of the queries, up to the factor
    that all have.
    """
    total = ZERO
    for each, p in values.items():
        for (_, rho), output, value in zip(runs, w, each):
            p = p / rho ** abs(output - value)
        total += p
    return total


def leak(law: Law, i: int, runs: Sequence[Run]) -> F:
    """The largest ratio of densities of all outputs given two values of X_i.

    In integers: masses and powers of rho times their common denominators.
    """
    tables = [table for table, _ in runs]
    masses = _masses(law, i, tables)
    spans = [max(each.values()) - min(each.values()) for each in tables]
    powers = [
        [rho.denominator**d * rho.numerator ** (span - d) for d in range(span + 1)]
        for (_, rho), span in zip(runs, spans)
    ]
    worst = ONE
    for w in outputs(tables):
        found = [
            sum(
                mass * prod(power[abs(o - f)] for power, o, f in zip(powers, w, value))
                for value, mass in each.items()
            )
            for each in masses
        ]
        worst = max(worst, F(max(found), min(found)))
    return worst


def _masses(law: Law, i: int, tables: Sequence[Mapping[Path, int]]) -> list[dict[Path, int]]:
    """The laws of the values of the queries given every value of X_i, times a common number."""
    common = lcm(*(p.denominator for p in law.values()))
    parts: dict[int, dict[Path, int]] = {}
    for x, p in law.items():
        if p:
            part, f = parts.setdefault(x[i - 1], {}), tuple([table[x] for table in tables])
            part[f] = part.get(f, 0) + p.numerator * (common // p.denominator)
    totals = [sum(part.values()) for part in parts.values()]
    scale = lcm(*totals)
    return [
        {f: mass * (scale // total) for f, mass in part.items()}
        for part, total in zip(parts.values(), totals)
    ]


def exact(law: Law, i: int, quilt: Sides) -> F | None:
    """e^e_theta(X_Q|X_i)."""
    return influence(law, i, sorted(nodes(i, *quilt)))


def best(law: Law, T: int, i: int, rho: F, estimate: Estimate = exact) -> F:
    """The least rho^card(X_N) times the estimate over the quilts of X_i."""
    found = [
        rho ** len(near(T, i, *quilt)) * e
        for quilt in sides(T, i)
        if (e := estimate(law, i, quilt)) is not None
    ]
    return min(found)


def needed(laws: Sequence[Law], T: int, rho: F, estimate: Estimate = exact) -> F:
    """The e^eps at which the scale of the Markov Quilt Mechanism is 1/log(rho)."""
    return max(best(law, T, i, rho, estimate) for law in laws for i in range(1, T + 1))


def leaks(laws: Sequence[Law], T: int, runs: Sequence[Run]) -> F:
    """The least ratio that the runs together keep for all records and priors."""
    return max(leak(law, i, runs) for law in laws for i in range(1, T + 1))


def priors(draws: Draws, longest: int = 3) -> Instance:
    """Draw one or two priors: the laws of one to three records of chains of two values, or of up to
    two records of chains of three.
    """
    states = 2 + draws.below(8) // 7
    T = 1 + draws.below(longest + 2 - states)
    laws = []
    for _ in range(1 + draws.below(4) // 3):
        start, step = chain(draws, states=states)
        if len(start) != states:
            start, step = draws.positive_law(states), draws.rows(states, states)
        laws.append(sequences(start, step, T))
    return {"laws": laws, "T": T, "states": states}


def one_run(draws: Draws) -> Instance:
    """One or two priors (laws of up to three records of chains of two values, or of two records of
    chains of three; deterministic, periodic and absorbing ones often), a 1-Lipschitz function F
    with integers for values, and rho; the level is that at which the scale is 1/log(rho).
    """
    drawn = priors(draws)
    T, states = drawn["T"], drawn["states"]
    table = query(draws, states, T, draws.several(range(1, T + 1)) or [*range(1, T + 1)])
    return {"laws": drawn["laws"], "T": T, "F": table, "rho": draws.among(SCALES)}


def least_score(law: Law, T: int, i: int, R: F, estimate: Estimate = exact) -> Sides:
    """The quilt of least n/(eps - e) at e^eps = R: n/log(R/E) < m/log(R/G) iff (R/G)^n < (R/E)^m.

    The first one of several.
    """
    found: Sides | None = None
    n, room = 1, ONE
    for quilt in sides(T, i):
        e, size = estimate(law, i, quilt), len(near(T, i, *quilt))
        if e is not None and e < R and (found is None or room**size < (R / e) ** n):
            found, n, room = quilt, size, R / e
    return found or (None, None)


def jointly(law: Law, i: int, run: Run, seen: Sequence[int]) -> F | None:
    """The largest ratio of joint densities of the output and of some records given two values of
    X_i, or None if values of these records are possible under one of both alone.
    """
    found = []
    for each in given_values(law, i).values():
        row: dict[tuple[Path, Path], F] = {}
        for key in sorted(marginal(each, seen)):
            part = {x: p for x, p in each.items() if tuple(x[k - 1] for k in seen) == key}
            row |= {(key, w): density(part, [run], w) for w in outputs([run[0]])}
        found.append(row)
    return largest_ratio(found)


def remote(T: int, i: int, quilt: Sides) -> list[int]:
    """The records of RuQ."""
    return [k for k in range(1, T + 1) if k not in near(T, i, *quilt)]


def _lemma(
    laws: Sequence[Law], T: int, run: Run, R: F, estimate: Estimate = exact, factor: F = ONE
) -> bool:
    return all(
        at_most(jointly(law, i, run, remote(T, i, least_score(law, T, i, R, estimate))), factor * R)
        for law in laws
        for i in range(1, T + 1)
    )


LEMMA_A2 = Statement(
    family=one_run,
    edges=[TOO_STEEP],
    given=ONE_FUNCTION,
    holds=lambda laws, T, F, rho, factor=ONE: _lemma(
        laws, T, (F, rho), needed(laws, T, rho), factor=factor
    ),
    too_strong={
        "99/100 of e^eps": {"factor": ALMOST},
    },
    too_weak=[LIPSCHITZ],
)


def estimated(draws: Draws) -> Instance:
    """One or two priors (laws of up to three records of chains of two values, or of two records of
    chains of three; deterministic, periodic and absorbing ones often), a 1-Lipschitz function F
    with integers for values, and rho. The estimate of every form of quilt is its influence times 1,
    3/2 or 3, or, one instance in eight, times 2/3.
    """
    drawn = one_run(draws)
    below = draws.below(8) == 7
    more = [ONE, F(3, 2), F(3)] if not below else [F(2, 3), ONE]
    forms = [(left, right) for left in (False, True) for right in (False, True)]
    return drawn | {"more": {each: draws.among(more) for each in forms}}


def _times(more: Mapping[tuple[bool, bool], F]) -> Estimate:
    def estimate(law: Law, i: int, quilt: Sides) -> F | None:
        e = exact(law, i, quilt)
        return None if e is None else max(ONE, e * more[quilt[0] is None, quilt[1] is None])

    return estimate


UPPER = "every estimate is an upper bound"


def _upper(more: Mapping[tuple[bool, bool], F], **_: object) -> bool:
    return min(more.values()) >= 1


LEMMA_A2_BOUNDS = Statement(
    family=estimated,
    edges=[TOO_STEEP | {"more": dict.fromkeys(product((False, True), repeat=2), ONE)}],
    given={UPPER: _upper, **ONE_FUNCTION},
    holds=lambda laws, T, F, rho, more, factor=ONE: _lemma(
        laws, T, (F, rho), needed(laws, T, rho, _times(more)), _times(more), factor=factor
    ),
    too_strong={
        "99/100 of e^eps": {"factor": ALMOST},
    },
    too_weak=[UPPER, LIPSCHITZ],
)


def a_lipschitz_function(draws: Draws) -> Instance:
    """A function of one or two bits with values from -2 to 3, often constant, and L from 0 to 3."""
    size = 1 + draws.below(2)
    values = listed("0 1 1/2 -1 3 -2")
    some = draws.among(values) if draws.whether() else None
    f = {x: draws.among(values) if some is None else some for x in product((0, 1), repeat=size)}
    least = max(abs(f[x] - f[y]) for x, y in product(f, repeat=2) if distance(x, y) < 2)
    return {"f": f, "L": draws.among([least, least, least + 1, F(1), F(0), F(1, 2)])}


def _lipschitz(f: Mapping[Path, F], L: F) -> bool:
    return all(abs(f[x] - f[y]) <= L * distance(x, y) for x, y in product(f, repeat=2))


L_LIPSCHITZ, L_ABOVE_0, L_IS_0 = "f is Lipschitz with constant L", "L > 0", "L = 0"
SCALED = Statement(
    family=a_lipschitz_function,
    given={L_LIPSCHITZ: _lipschitz, L_ABOVE_0: lambda f, L: L > 0},
    holds=lambda f, L, L_2=ONE: _lipschitz({x: y / L for x, y in f.items()}, L_2),
    too_strong={"with the constant 1/2": {"L_2": F(1, 2)}},
    too_weak=[L_LIPSCHITZ],
)
CONSTANT = Statement(
    family=a_lipschitz_function,
    given={L_LIPSCHITZ: _lipschitz, L_IS_0: lambda f, L: L == 0},
    holds=lambda f, L, other=False: (_lipschitz(f, ONE)) and (not other or (not any(f.values()))),
    too_strong={"f = 0": {"other": True}},
    too_weak=[L_LIPSCHITZ, L_IS_0],
)


def records_changed(draws: Draws) -> Instance:
    """One to four bits, a 1-Lipschitz function with one or two coordinates of some of them, a set N
    of records, rho, and K = e^(eps - e), equal to rho^n with n the number of records of N that F
    reads, or larger, or, one time in six, rho^(n-1).
    """
    T = 1 + draws.below(4)
    coordinates = [query(draws, 2, T, draws.several(range(1, T + 1)))]
    taken = _reads(coordinates[0], T)
    if draws.below(4) == 3:
        coordinates.append(query(draws, 2, T, [k for k in range(1, T + 1) if k not in taken]))
    N, rho = draws.several(range(1, T + 1)), draws.among(SCALES)
    n = sum(any(k in _reads(each, T) for each in coordinates) for k in N)
    K = rho**n * draws.among([ONE, ONE, ONE, F(2), F(3, 2), 1 / rho])
    return {"T": T, "F": coordinates, "N": N, "n": n, "rho": rho, "K": K}


def _reads(table: Query, T: int) -> set[int]:
    return {
        k
        for k in range(1, T + 1)
        if any(table[x] != table[(*x[: k - 1], 1 - x[k - 1], *x[k:])] for x in table)
    }


def _close(T: int, F: Sequence[Query], N: Sequence[int], rho: F, K: F) -> bool:
    pairs = [
        (x, y)
        for x, y in product(product((0, 1), repeat=T), repeat=2)
        if all(a == b for k, (a, b) in enumerate(zip(x, y), 1) if k not in N)
    ]
    for x, y in pairs:
        for w in outputs(F):
            p, q = (sum(abs(o - table[z]) for o, table in zip(w, F)) for z in (x, y))
            if rho ** (q - p) > K:
                return False
    return True


ENOUGH = "sigma (eps - e) >= n"
NOISE = Statement(
    family=records_changed,
    edges=[{"T": 1, "F": [STEEP], "N": [1], "n": 1, "rho": F(2), "K": F(2)}],
    given={
        ENOUGH: lambda T, F, N, n, rho, K: rho**n <= K,
        LIPSCHITZ: lambda F, **_: all(is_lipschitz(each) for each in F),
    },
    holds=lambda T, F, N, n, rho, K, factor=ONE: _close(T, F, N, rho, factor * K),
    too_strong={
        "99/100 of it": {"factor": ALMOST},
    },
    too_weak=[ENOUGH, LIPSCHITZ],
)


def a_quilt(draws: Draws) -> Instance:
    """The law of one to four records of a chain of two values, a record i, a quilt of it with a
    finite influence (else the empty one), a 1-Lipschitz function of records D, rho, e^eps, equal to
    rho^n e^f or more or, one time in eight, 99/100 of it, and a mechanism with two outputs that
    reads one record of RuQ or, one time in eight, any. Its rows are given the record and whether
    the noise of the release is positive; one time in eight they differ with the noise.
    """
    start, step = chain(draws, states=2)
    T = 1 + draws.below(4)
    law, i = sequences(start, step, T), 1 + draws.below(T)
    quilt = draws.among(sides(T, i)[::-1])
    if exact(law, i, quilt) is None:
        quilt = (None, None)
    D = draws.several(range(1, T + 1))
    rho, e = draws.among(SCALES), exact(law, i, quilt) or ONE
    n = sum(k in near(T, i, *quilt) for k in D)
    read = remote(T, i, quilt) if draws.below(8) < 7 else list(range(1, T + 1))
    return {
        "law": law,
        "T": T,
        "i": i,
        "quilt": quilt,
        "F": query(draws, 2, T, D),
        "rho": rho,
        "least": rho**n * e,
        "R": rho**n * e * draws.among([ONE, ONE, ONE, F(2), F(3, 2), ONE, ONE, ALMOST]),
        "reads": draws.among([None, *read]),
        "other": _rows_by_sign(draws),
    }


def _rows_by_sign(draws: Draws) -> list[list[list[F]]]:
    """The rows of a mechanism with two outputs given its record, where the noise of the release is
    not positive and where it is.
    """
    own = rows(draws, 2, 2)
    return [own, rows(draws, 2, 2) if draws.below(8) == 7 else own]


def _with_other(
    law: Law, i: int, F: Query, rho: F, reads: int | None, other: Sequence[Rows]
) -> F | None:
    """The largest ratio of the pair of outputs given two values of X_i. The density at an output
    that is a value of F is its limit from below.
    """
    found = []
    for each in given_values(law, i).values():
        row = {}
        for w in outputs([F]):
            for z in range(2):
                chances = {
                    x: p * other[w[0] > F[x]][0 if reads is None else x[reads - 1]][z]
                    for x, p in each.items()
                }
                row[(*w, z)] = density(chances, [(F, rho)], w)
        found.append(row)
    return largest_ratio(found)


def _quilt_protects(instance: Any, factor: F = ONE) -> bool:
    law, T, i, quilt, table, rho, R = (
        instance[each] for each in ("law", "T", "i", "quilt", "F", "rho", "R")
    )
    pair = _with_other(law, i, table, rho, instance["reads"], instance["other"])
    alone = jointly(law, i, (table, rho), remote(T, i, quilt))
    return at_most(pair, factor * R) and at_most(alone, factor * R)


SCALE, READS = "s (eps - f) >= n", "the other mechanism reads records of X_RuQ only"
OWN_COINS = "the other mechanism has coins of its own"
ANY_QUILT = Statement(
    family=a_quilt,
    edges=[
        {
            **{"law": FAIR_BIT, "T": 1, "i": 1, "quilt": (None, None), "F": STEEP, "rho": F(2)},
            **{"least": F(2), "R": F(2), "reads": None, "other": [[[ONE, ZERO]] * 2] * 2},
        }
    ],
    given={
        **ONE_FUNCTION,
        SCALE: lambda least, R, **_: least <= R,
        READS: lambda T, i, quilt, reads, **_: reads in [None, *remote(T, i, quilt)],
        OWN_COINS: lambda other, **_: other[0] == other[1],
    },
    holds=lambda factor=ONE, **instance: _quilt_protects(instance, factor=factor),
    too_strong={"99/100 of e^eps": {"factor": ALMOST}},
    too_weak=[LIPSCHITZ, SCALE, READS, OWN_COINS],
)


def ends(draws: Draws) -> Instance:
    """A chain of one to six records and a record of it, the first one three times in four."""
    T = 1 + draws.below(6)
    return {"T": T, "i": 1 + draws.below(4) // 3 * draws.below(T)}


FIRST = "i = 1"
NOTHING_RELEASED = Statement(
    family=ends,
    given={FIRST: lambda T, i: i == 1},
    holds=lambda T, i, nor_one_sided=False: (
        not [(a, b) for a, b in sides(T, i) if (a or b if nor_one_sided else a and b)]
    ),
    too_strong={
        "nor one-sided ones": {"nor_one_sided": True},
    },
    too_weak=[FIRST],
)
