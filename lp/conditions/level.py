"""The smallest level at which a mechanism meets the coupling condition, enclosed with exact
kernels.

For laws (mu, nu) a kernel beta with mu beta = nu, and so a coupling, is wanted with

    log P(w|x) <= epsilon + sum_y beta_xy log P(w|y)
        for every x in supp mu and output w with P(w|x) > 0.

The least epsilon is a linear program in (beta, epsilon) with logarithms in it. Floats propose a
vertex; its beta is rounded so that it stays exactly a coupling, and logarithms are enclosed, so the
upper bound is rigorous; so is the lower bound, by the multipliers.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from pufferproof.lp.cones.columns import Columns, OrderedLaws
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.exact.weights import sign_of_logs
from pufferproof.lp.rates.games import Games
from pufferproof.models.errors import ModelError, SolverError, extras
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.models.priors.records import preview
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Couplings of the two laws of a pair, and kernels from one to the other, exactly.
#
# A kernel from mu to nu is a row-stochastic beta with a row for every x in supp mu and weight on supp nu only. Its
# *constant* is max over y of (mu beta)_y / nu_y, which is at least 1, and 1 iff mu beta = nu: then pi_xy = mu_x
# beta_xy is a coupling. The least constant c of a kernel that uses allowed pairs (x, y) only is a linear program:
#
#     minimise c  subject to  sum_y pi_xy = mu_x,  sum_x pi_xy <= c nu_y,  pi >= 0 on allowed pairs.

COUPLINGS_RESTS_ON = ("worst.coupling", "worst.nfc-constant")
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


# Weighted geometric means in constraints P(w|x) <= R prod_y P(w|y)^beta_y: exact checks, and tangents that lie above
# them.

MEANS_RESTS_ON = ("bai2026.x-am-gm",)
_UNIT_OF_MEANS = 1 << 44


@dataclass(frozen=True)
class Mean:
    """One constraint: P(w|x) <= R prod_y P(w|y)^weights[y] for every output w."""

    x: int
    weights: Mapping[int, Fraction]

    @property
    def powers(self) -> tuple[int, dict[int, int]]:
        """A common denominator of the weights, and their numerators."""
        common = lcm(*(weight.denominator for weight in self.weights.values()))
        return common, {y: int(weight * common) for y, weight in self.weights.items()}

    def holds(self, u: Mapping[int, Fraction], ratio: Fraction) -> bool:
        """Say whether it is certain that a column u keeps the constraint, exactly."""
        common, powers = self.powers
        if not u[self.x]:
            return True
        if not all(u[y] for y in powers):
            return False
        terms = [(common, u[self.x]), (-common, ratio), *((-n, u[y]) for y, n in powers.items())]
        return sign_of_logs(terms) in (-1, 0)

    def above(self, slopes: Mapping[int, float]) -> dict[int, Fraction]:
        """Return c with prod_y u_y^weights[y] <= sum_y c_y u_y for all u >= 0, from float slopes of
        a tangent.

        c_y = weights[y] a_y for rational a_y > 0 near the slopes, enlarged until prod_y
        a_y^weights[y] >= 1; then the inequality of the means for a_y u_y gives the bound.
        """
        _, powers = self.powers
        a = {
            y: max(Fraction(1, _UNIT_OF_MEANS), Fraction(round(slope * _UNIT_OF_MEANS), _UNIT_OF_MEANS))
            for y, slope in slopes.items()
        }
        slack = Fraction(2, _UNIT_OF_MEANS)
        while sign_of_logs([(powers[y], value) for y, value in a.items()]) not in (0, 1):
            a = {y: value * (1 + slack) for y, value in a.items()}
            slack *= 2
        return {y: self.weights[y] * value for y, value in a.items()}


RESTS_ON = ("worst.coupling", "worst.coupling-level")
_ACCURACY = 80  # bits of an enclosed logarithm
_UNIT = 1 << 48
_NICE = 24  # denominators tried first are this many times those of the laws at most


@dataclass(frozen=True)
class LawLevel:
    """The smallest epsilon of one pair of laws, between `lower` and `upper` nats, and a
    coupling kernel that keeps `upper`.
    """

    lower: Fraction
    upper: Fraction
    kernel: Kernel


@dataclass(frozen=True)
class LogTable:
    """The log-likelihood ratios of a mechanism between databases: `places` maps
    `Columns.databases` to rows of `games`.
    """

    games: Games
    places: tuple[int, ...]

    def outputs(self, x: int) -> list[int]:
        """Return the outputs that are possible at x."""
        outputs: list[int] = self.games.positive[self.places[x]].nonzero()[0].tolist()
        return outputs

    def ratio(self, x: int, y: int, w: int) -> Fraction:
        """Return P(w|x) / P(w|y) exactly, P(w|y) > 0."""
        return self.games.ratio(self.places[x], self.places[y], w)

    def log(self, x: int, y: int, w: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds of log P(w|x) / P(w|y)."""
        return self.games.payoff(self.places[x], self.places[y], w, _ACCURACY)

    def costs(self, laws: OrderedLaws) -> dict[Arc, Fraction]:
        """Return max over w of P(w|x) / P(w|y) on supp mu and supp nu, where it is finite."""
        xs, ys = support(laws.mu), support(laws.nu)
        ratios = {}
        for x in xs:
            finite = self.games.remaining(self.places[x], [self.places[y] for y in ys])
            for y in ys:
                if self.places[y] in finite:
                    ratios[x, y] = max(self.ratio(x, y, w) for w in self.outputs(x))
        return ratios

    def excess(self, x: int, row: Mapping[int, Fraction]) -> Fraction:
        """Return a rational >= max over w of sum_y beta_xy log P(w|x) / P(w|y)."""
        return max(sum((b * self.log(x, y, w)[1] for y, b in row.items()), _ZERO) for w in self.outputs(x))

    def keeps(self, kernel: Kernel, value: tuple[Fraction, Fraction], root: int = 1) -> Decision:
        """Return whether log P(w|x) <= epsilon + sum_y beta_xy log P(w|y) everywhere, exactly:
        undecided if too close to tell.

        Args:
            value: (q, c) for epsilon = (log(q) + c) / root.
        """
        return Decision.every(self._keeps(x, row, w, value, root) for x, row in kernel.items() for w in self.outputs(x))

    def _keeps(
        self, x: int, row: Mapping[int, Fraction], w: int, value: tuple[Fraction, Fraction], root: int
    ) -> Decision:
        """Return whether one inequality holds."""
        common = lcm(*(weight.denominator for weight in row.values()))
        terms = [(root * int(weight * common), self.ratio(x, y, w)) for y, weight in row.items()]
        return Decision.at_most(sign_of_logs([*terms, (-common, value[0])], -common * value[1]))


def least_level(table: LogTable, laws: OrderedLaws, arcs: Sequence[Arc], known: Kernel) -> LawLevel:
    """Enclose the smallest epsilon of the coupling condition for one pair of laws.

    Args:
        arcs: the pairs (x, y) that no output separates.
        known: some coupling kernel on `arcs`, which is kept unless a better one is found.
    """
    beta, weights, prices = _proposed(table, laws, arcs)
    lower = _lower(table, laws, arcs, weights, prices)
    kernels = [known, *_rounded(laws, arcs, beta)]
    bounds = [max(table.excess(x, row) for x, row in kernel.items()) for kernel in kernels]
    least = min(bounds)
    close = Fraction(1, 10**13) * max(least, Fraction(1, 10**6))
    chosen = next(kernel for kernel, bound in zip(kernels, bounds) if bound <= least + close)
    return LawLevel(min(lower, least), bounds[kernels.index(chosen)], chosen)


def _proposed(
    table: LogTable, laws: OrderedLaws, arcs: Sequence[Arc]
) -> "tuple[NDArray[np.float64], dict[Arc, float], dict[int, float]]":
    """Return float beta over arcs, multipliers over (x, w) and prices over y of the program."""
    import numpy as np

    with extras:
        from scipy.optimize import linprog
        from scipy.sparse import coo_array

    xs, ys = support(laws.mu), support(laws.nu)
    above = [(x, w) for x in xs for w in table.outputs(x)]
    number = {place: i for i, place in enumerate(above)}
    logs = table.games.logs
    entries = [
        (number[x, w], j, logs[table.places[x], w] - logs[table.places[y], w])
        for j, (x, y) in enumerate(arcs)
        for w in table.outputs(x)
    ]
    scale = max((abs(value) for _, _, value in entries), default=0.0) or 1.0
    entries = [(i, j, value / scale) for i, j, value in entries] + [(i, len(arcs), -1.0) for i in range(len(above))]
    left = coo_array(_triples(entries), shape=(len(above), len(arcs) + 1)).tocsr()
    row, column = {x: i for i, x in enumerate(xs)}, {y: len(xs) + i for i, y in enumerate(ys)}
    equal = [(row[x], j, 1.0) for j, (x, _) in enumerate(arcs)]
    equal += [(column[y], j, laws.mu[x] / laws.mu_total) for j, (x, y) in enumerate(arcs)]
    both = coo_array(_triples(equal), shape=(len(xs) + len(ys), len(arcs) + 1)).tocsr()
    result = proposing(linprog)(
        np.append(np.zeros(len(arcs)), 1.0),
        A_ub=left,
        b_ub=np.zeros(len(above)),
        A_eq=both,
        b_eq=np.array([1.0] * len(xs) + [laws.nu[y] / laws.nu_total for y in ys]),
        bounds=[(0, None)] * len(arcs) + [(None, None)],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result is None or result.x is None or not are_numbers(_floats(result)):
        # no proposal: every bound below still holds, only wider
        return np.zeros(len(arcs)), {above[0]: 1.0}, {}
    multipliers = {place: float(-m) for place, m in zip(above, result.ineqlin.marginals) if m < 0}
    prices = {y: scale * float(result.eqlin.marginals[column[y]]) for y in ys}
    return np.asarray(result.x[:-1]), multipliers or {above[0]: 1.0}, prices


def _floats(result: Any) -> list[float]:
    return [*result.x, *result.ineqlin.marginals, *result.eqlin.marginals]


def _triples(entries: Sequence[tuple[int, int, object]]) -> object:
    rows, columns, values = zip(*entries)
    return values, (rows, columns)


def _rounded(laws: OrderedLaws, arcs: Sequence[Arc], beta: "NDArray[np.float64]") -> list[Kernel]:
    """Return exact coupling kernels near float ones: with small denominators if there is one,
    and with fine ones.

    Weights are rounded down, and the masses left over are routed again by an exact flow.
    """
    kernels: list[Kernel] = []
    whole = laws.mu_total * laws.nu_total
    flows = [float(b) * laws.mu[x] / laws.mu_total for b, (x, _) in zip(beta, arcs)]
    for times in range(1, _NICE + 1):
        if whole * times > 10**6:
            break
        nearest = [round(flow * whole * times) for flow in flows]
        if all(abs(flow * whole * times - n) < 1e-6 for flow, n in zip(flows, nearest)):
            kernel = _normalized(dict(zip(arcs, map(Fraction, nearest))))
            if is_kernel(laws, kernel) and constant_of(laws, kernel) == 1:
                kernels.append(kernel)
                break
    for digits in (44, 36, 24):  # what is left over is a small share of each row, and so of each beta_x
        kept = 1 - 2.0**-digits
        if (
            refilled := _refilled(laws, arcs, [max(0, int(flow * kept * whole * _UNIT) - 2) for flow in flows])
        ) is not None:
            return [*kernels, refilled]
    return kernels


def _refilled(laws: OrderedLaws, arcs: Sequence[Arc], scaled: Sequence[int]) -> Kernel | None:
    """Return the kernel of a coupling that sends enough over arcs, or None if none does."""
    unit = _UNIT * laws.mu_total * laws.nu_total
    left = [weight * _UNIT * laws.nu_total for weight in laws.mu]
    open_ = [weight * _UNIT * laws.mu_total for weight in laws.nu]
    for (x, y), amount in zip(arcs, scaled):
        left[x] -= amount
        open_[y] -= amount
    if min(left) < 0 or min(open_) < 0:
        return None
    flows = {arc: Fraction(amount, unit) for arc, amount in zip(arcs, scaled)}
    if rest := sum(left):
        remaining = OrderedLaws(tuple(left), tuple(open_), rest, rest, ())
        more = routed(remaining, [(x, y) for x, y in arcs if left[x] and open_[y]])
        if more.kernel is None or more.constant != 1:
            return None
        for x, row in more.kernel.items():
            for y, weight in row.items():
                flows[x, y] += weight * Fraction(left[x], unit)
    kernel = _normalized(flows)
    return kernel if is_kernel(laws, kernel) and constant_of(laws, kernel) == 1 else None


def _normalized(flows: Mapping[Arc, Fraction]) -> dict[int, dict[int, Fraction]]:
    rows: dict[int, dict[int, Fraction]] = {}
    for (x, y), amount in flows.items():
        if amount:
            rows.setdefault(x, {})[y] = amount
    return {x: {y: amount / sum(row.values()) for y, amount in row.items()} for x, row in rows.items()}


def _lower(
    table: LogTable, laws: OrderedLaws, arcs: Sequence[Arc], weights: Mapping[Arc, float], prices: Mapping[int, float]
) -> Fraction:
    """Return the rigorous lower bound that rounded multipliers and prices prove.

    For lambda >= 0 of sum 1 over (x, w), and any g over y (worst.coupling-level),

        epsilon >= sum_x min over y of (sum_w lambda_xw log(P(w|x) / P(w|y)) - mu_x g_y) + <nu, g>,

    the minimum over y that no output separates from x.
    """
    fine = {place: max(1, round(weight * _UNIT)) for place, weight in weights.items()}
    total = sum(fine.values())
    by_x: dict[int, dict[int, Fraction]] = {}
    for (x, w), weight in fine.items():
        by_x.setdefault(x, {})[w] = Fraction(weight, total)
    exact = {y: Fraction(round(price * _UNIT), _UNIT) for y, price in prices.items()}
    least: dict[int, Fraction] = {}
    for x, y in arcs:
        gains = sum((weight * table.log(x, y, w)[0] for w, weight in by_x.get(x, {}).items()), _ZERO)
        value = gains - exact.get(y, _ZERO) * laws.mu[x] / laws.mu_total
        least[x] = min(least.get(x, value), value)  # worst.coupling-level
    passed = sum((price * laws.nu[y] for y, price in exact.items()), _ZERO) / laws.nu_total
    return sum(least.values(), _ZERO) + passed
