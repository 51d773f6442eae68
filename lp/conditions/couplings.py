"""Couplings of the two laws of a pair, and kernels from one to the other, exactly.

A kernel from mu to nu is a row-stochastic beta with a row for every x in supp mu and weight on supp
nu only. Its *constant* is max over y of (mu beta)_y / nu_y, which is at least 1, and 1 iff mu beta
= nu: then pi_xy = mu_x beta_xy is a coupling. The least constant c of a kernel that uses allowed
pairs (x, y) only is a linear program:

    minimise c  subject to  sum_y pi_xy = mu_x,  sum_x pi_xy <= c nu_y,  pi >= 0 on allowed pairs.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.cones.columns import Columns, OrderedLaws
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.listing import Pair
from pufferproof.models.priors.records import preview

RESTS_ON = ("worst.coupling", "worst.nfc-constant")
# beta[x][y], places in `Columns.databases`, positive entries only
Kernel = Mapping[int, Mapping[int, Fraction]]
Arc = tuple[int, int]
_ZERO = Fraction(0)


@dataclass(frozen=True)
class Routed:
    """A kernel on allowed pairs whose constant is least; both None if some databases have no
    allowed pair at all.

    `blocking` is a set A with mu(A) = constant * nu(N(A)), or without neighbours: no kernel on
    these pairs does better.
    """

    kernel: Kernel | None
    constant: Fraction | None
    blocking: tuple[int, ...]


def constant_of(laws: OrderedLaws, kernel: Kernel) -> Fraction:
    """Return max over y of (mu beta)_y / nu_y for a kernel beta: 1 iff it is a coupling.

    >>> laws = OrderedLaws((1, 1, 0), (0, 0, 1), 2, 1, ())
    >>> constant_of(laws, {0: {2: Fraction(1)}, 1: {2: Fraction(1)}})
    Fraction(1, 1)
    """
    arriving: dict[int, Fraction] = {}
    for x, row in kernel.items():
        for y, weight in row.items():
            arriving[y] = arriving.get(y, _ZERO) + laws.mu[x] * weight
    return max(mass * laws.nu_total / (laws.nu[y] * laws.mu_total) for y, mass in arriving.items())


def is_kernel(laws: OrderedLaws, kernel: Kernel) -> bool:
    """Say whether each x of supp mu alone has a positive row on supp nu that sums to 1."""
    return set(support(laws.mu)) == set(kernel) and all(
        sum(row.values()) == 1 and all(weight > 0 and laws.nu[y] for y, weight in row.items())
        for row in kernel.values()
    )


def routed(laws: OrderedLaws, allowed: Collection[Arc]) -> Routed:
    """Return the kernel on allowed pairs of supp mu and supp nu with the least constant."""
    arcs = list(allowed)
    xs, ys = support(laws.mu), support(laws.nu)
    alone = sorted(set(xs) - {x for x, _ in arcs})
    if alone:
        return Routed(None, None, tuple(alone))
    largest = len(arcs)  # the variable c
    rows = _supplies(laws, arcs, xs)
    for y in ys:
        into: dict[int, Fraction | int] = {j: 1 for j, arc in enumerate(arcs) if arc[1] == y}
        rows.append(Row({**into, largest: -Fraction(laws.nu[y], laws.nu_total)}, "<="))
    solution = solve_exact(Program({largest: -1}, rows, largest + 1))
    if solution.status is not Status.OPTIMAL:
        raise SolverError("the least constant of a kernel was not found")
    constant = solution.x[largest]
    kernel = _kernel(arcs, solution.x, xs)
    return Routed(kernel, constant, _blocking(laws, arcs, constant, dict(zip(xs, solution.dual))))


def bottleneck(laws: OrderedLaws, costs: Mapping[Arc, Fraction]) -> tuple[Fraction | None, Routed]:
    """Return the coupling whose largest cost is least, and that cost; None if no coupling uses
    these pairs alone.

    The set `blocking` has mu(A) > nu(N(A)) over all cheaper pairs (for None: over all of them), or
    is empty if none is cheaper.
    """
    steps = sorted(set(costs.values()))
    low, high = 0, len(steps)
    best, failed = (Routed(None, None, ()), Routed(None, None, () if steps else tuple(support(laws.mu))))
    while low < high:
        middle = (low + high) // 2
        routing = routed(laws, [arc for arc, cost in costs.items() if cost <= steps[middle]])
        if routing.constant == 1:
            high, best = middle, routing
        else:
            low, failed = middle + 1, routing
    if best.kernel is None:
        return None, Routed(None, None, failed.blocking)
    return steps[low], Routed(best.kernel, best.constant, failed.blocking)


def cheapest(laws: OrderedLaws, cost: Callable[[int, int], Fraction | int]) -> Kernel:
    """Return a coupling of least expected cost, a vertex of the transport polytope."""
    xs, ys = support(laws.mu), support(laws.nu)
    arcs = [(x, y) for x in xs for y in ys]
    rows = _supplies(laws, arcs, xs)
    for y in ys:
        rows.append(Row({j: 1 for j, arc in enumerate(arcs) if arc[1] == y}, "=", Fraction(laws.nu[y], laws.nu_total)))
    # one of these equations follows from the others; without it the float basis is square
    solution = solve_exact(Program({j: -cost(*arc) for j, arc in enumerate(arcs)}, rows[:-1], len(arcs)))
    if solution.status is not Status.OPTIMAL:
        raise SolverError("a cheapest coupling was not found")
    return _kernel(arcs, solution.x, xs)


def independent(laws: OrderedLaws) -> Kernel:
    """Return the coupling of an independent second database: beta_xy = nu_y."""
    row = {y: Fraction(laws.nu[y], laws.nu_total) for y in support(laws.nu)}
    return {x: dict(row) for x in support(laws.mu)}


def kernels_of(
    columns: Columns, stated: Mapping[tuple[str, Pair], Mapping[str, Mapping[str, Fraction]]]
) -> tuple[Kernel, ...]:
    """Return stated kernels in the order of `columns.laws`, with places for labels.

    Args:
        stated: beta by prior and ordered pair; where laws are equal one of their places is enough.

    Raises `ModelError` unless there is a kernel for every pair of laws, with rows that are laws on
    the other's support.
    """
    place = {label: x for x, label in enumerate(columns.labels)}
    kernels: list[Kernel] = []
    for laws in columns.laws:
        where = next((each for each in laws.places if each in stated), None)
        prior, pair = where or laws.places[0]
        named = f'prior "{prior}", pair ["{pair[0]}", "{pair[1]}"]'
        if where is None:
            raise ModelError(f"no kernel for {named}", "kernels")
        for label in {*stated[where], *(y for row in stated[where].values() for y in row)} - set(place):
            raise ModelError(f'unknown database "{label}", expected one of {preview(columns.labels)}', named)
        kernel = {
            place[x]: {place[y]: weight for y, weight in row.items() if weight} for x, row in stated[where].items()
        }
        if not is_kernel(laws, kernel):
            raise ModelError(
                f'expected a row for every database of positive probability given "{pair[0]}" and '
                f"no other, each of non-negative weights that sum to 1 on databases of positive "
                f'probability given "{pair[1]}"',
                named,
            )
        kernels.append(kernel)
    return tuple(kernels)


def support(weights: Sequence[int]) -> list[int]:
    """Return the places of positive weight."""
    return [x for x, weight in enumerate(weights) if weight]


def _supplies(laws: OrderedLaws, arcs: Sequence[Arc], xs: Sequence[int]) -> list[Row]:
    return [
        Row({j: 1 for j, arc in enumerate(arcs) if arc[0] == x}, "=", Fraction(laws.mu[x], laws.mu_total)) for x in xs
    ]


def _kernel(arcs: Sequence[Arc], sent: Sequence[Fraction], xs: Sequence[int]) -> dict[int, dict[int, Fraction]]:
    rows: dict[int, dict[int, Fraction]] = {x: {} for x in xs}
    for (x, y), amount in zip(arcs, sent):
        if amount:
            rows[x][y] = amount
    return {x: {y: amount / sum(row.values()) for y, amount in row.items()} for x, row in rows.items()}


def _blocking(
    laws: OrderedLaws, arcs: Sequence[Arc], constant: Fraction, prices: Mapping[int, Fraction]
) -> tuple[int, ...]:
    """Return a set A with mu(A) = constant * nu(N(A)): some level set of the dual prices of the
    supplies is one.

    All mu_x gets through at c iff mu(A) <= c nu(N(A)) for every set A of databases with neighbours
    N(A) (Hall), so such a set proves that c is least.
    """
    for level in sorted(set(prices.values())):
        chosen = {x for x, price in prices.items() if price <= level}
        reached = {y for x, y in arcs if x in chosen}
        above = sum(laws.mu[x] for x in chosen) * laws.nu_total
        if above == constant * sum(laws.nu[y] for y in reached) * laws.mu_total:
            return tuple(sorted(chosen))
    raise SolverError("no set of databases proves the least constant of a kernel")
