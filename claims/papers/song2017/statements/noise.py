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

from pufferproof.claims.language.instances.chains import (
    Path,
    chain,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.frameworks import neighbours
from pufferproof.claims.language.instances.laws import ONE, ZERO, largest_ratio, push
from pufferproof.claims.language.statements import Draws, Fraction, Instance
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
