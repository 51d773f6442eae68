"""Conditions stronger than a Pufferfish promise that survive composition: which of them a mechanism
meets, and at which level.

With p_x(w) = P(w | x), R = e^epsilon, and (mu, nu) the laws of the database given two secrets:
*transport*, *coupling*, *one-hot* and *NfC* (`Conditions` says what each asks). Transport implies
coupling and one-hot, each of which implies NfC; coupling implies the promise. With a coupling K
runs leak exactly K times the level at most, otherwise a constant more, paid once; several
mechanisms compose by these rules only with a common beta. Source: the necessity of NfC is bai2026,
Theorem 5.1.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from pufferproof.lp.cones.columns import Columns, OrderedLaws
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.exact.weights import sign_of_logs
from pufferproof.lp.rates.games import Games
from pufferproof.lp.rates.nfc import RATES_REST_ON, Rate, check_nfc, composition_rate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.interface.tabular import Entry, Tabular, infinite_if_none
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, enclose, log_bounds
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.records import preview
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.decision import Decision, bases, united

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
_SLOPE_UNIT = 1 << 44


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
            y: max(Fraction(1, _SLOPE_UNIT), Fraction(round(slope * _SLOPE_UNIT), _SLOPE_UNIT))
            for y, slope in slopes.items()
        }
        slack = Fraction(2, _SLOPE_UNIT)
        while sign_of_logs([(powers[y], value) for y, value in a.items()]) not in (0, 1):
            a = {y: value * (1 + slack) for y, value in a.items()}
            slack *= 2
        return {y: self.weights[y] * value for y, value in a.items()}


# The smallest level at which a mechanism meets the coupling condition, enclosed with exact kernels.
#
# For laws (mu, nu) a kernel beta with mu beta = nu, and so a coupling, is wanted with
#
#     log P(w|x) <= epsilon + sum_y beta_xy log P(w|y)
#         for every x in supp mu and output w with P(w|x) > 0.
#
# The least epsilon is a linear program in (beta, epsilon) with logarithms in it. Floats propose a vertex; its beta is
# rounded so that it stays exactly a coupling, and logarithms are enclosed, so the upper bound is rigorous; so is the
# lower bound, by the multipliers.

LEVEL_RESTS_ON = ("worst.coupling", "worst.coupling-level")
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
    # the rigorous lower bound that rounded multipliers and prices prove:
    # For lambda >= 0 of sum 1 over (x, w), and any g over y (worst.coupling-level),
    #
    #   epsilon >= sum_x min over y of (sum_w lambda_xw log(P(w|x) / P(w|y)) - mu_x g_y) + <nu, g>,
    #
    # the minimum over y that no output separates from x.
    fine = {place: max(1, round(weight * _UNIT)) for place, weight in weights.items()}
    total = sum(fine.values())
    by_x: dict[int, dict[int, Fraction]] = {}
    for (x, w), weight in fine.items():
        by_x.setdefault(x, {})[w] = Fraction(weight, total)
    exact = {y: Fraction(round(price * _UNIT), _UNIT) for y, price in prices.items()}
    minima: dict[int, Fraction] = {}
    for x, y in arcs:
        gains = sum((weight * table.log(x, y, w)[0] for w, weight in by_x.get(x, {}).items()), _ZERO)
        value = gains - exact.get(y, _ZERO) * laws.mu[x] / laws.mu_total
        minima[x] = min(minima.get(x, value), value)  # worst.coupling-level
    passed = sum((price * laws.nu[y] for y, price in exact.items()), _ZERO) / laws.nu_total
    lower = sum(minima.values(), _ZERO) + passed
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


RESTS_ON = ("worst.nfc-constant", "worst.coupling", "worst.nfc-cone")
_CLOSE = Fraction(1, 10**8)


class Composes(Enum):
    """What a condition at level epsilon says of K runs."""

    EXACTLY = "joint leakage at most K epsilon"
    UP_TO_A_CONSTANT = "joint leakage at most K epsilon plus a constant"
    NOT = "no bound for several runs"


@dataclass(frozen=True, repr=False)
class Condition(Readable):
    """A condition and the smallest level at which a mechanism meets it: `lower` to `upper` nats,
    both None if at none.

    `exact` is (q, d) when the level is exactly log(q) / d. The joint ratio of K runs is at most
    constant * R^K; `constant` is None if that does not follow. `kernels` has beta for every pair
    of laws of `Columns`, none for the promise itself.
    """

    name: str
    lower: Fraction | None
    upper: Fraction | None
    exact: tuple[Fraction, int] | None
    composes: Composes
    constant: Fraction | None
    kernels: tuple[Kernel, ...] = field(default=(), repr=False)
    holds: Decision | None = None

    @property
    def finite(self) -> bool:
        """Whether the mechanism meets the condition at some level."""
        return self.upper is not None

    def enclosure(self) -> Enclosure:
        """Return the smallest level in nats."""
        return INFINITE if self.lower is None or self.upper is None else enclose(self.lower, self.upper)

    def as_json(self, labels: tuple[str, ...]) -> JsonObject:
        """Return the condition object of the file formats."""
        ratio = None
        if not self.finite:
            ratio = "inf"
        elif self.exact is not None and self.exact[1] == 1:
            ratio = text_of(self.exact[0])
        return {
            "name": self.name,
            "level": {"ratio": ratio, "epsilon": self.enclosure().as_json()},
            "composes": self.composes.name.lower().replace("_", " "),
            "constant": None if self.constant is None else text_of(self.constant),
            "survives_post_processing": True,
            "holds": None if self.holds is None else self.holds.name,
            "beta": [
                {labels[x]: {labels[y]: text_of(weight) for y, weight in row.items()} for x, row in kernel.items()}
                for kernel in self.kernels
            ],
        }

    def __str__(self) -> str:
        level = "no level" if self.lower is None or self.upper is None else f"{between(self.lower, self.upper)} nats"
        holds = "" if self.holds is None else f" ({self.holds.name})"
        return f"{self.name} from {level}{holds}, {self.composes.value}"


@dataclass(frozen=True, repr=False)
class Conditions(Readable, Tabular):
    """All conditions for one mechanism, the promise first, then from the strongest to the
    weakest.

    For every (mu, nu):

        transport   a coupling of mu and nu with p_x(w) <= R p_y(w) for every pair (x, y) it uses
                    and every output w
        coupling    a kernel beta with mu beta = nu and p_x(w) <= R prod_y p_y(w)^beta_xy for x in
                    supp mu and every w
        one-hot     as in differential privacy: for each x in supp mu some y in supp nu with
                    p_x(w) <= R p_y(w) for every w
        NfC         for each x in supp mu weights beta_x on supp nu with
                    p_x(w) <= R prod_y p_y(w)^beta_xy for every w

    Transport implies coupling and one-hot: mix its inequalities (R sum_y beta_xy p_y; a mean of
    logarithms for the coupling). Mechanisms at levels R_1 .. R_K with the same beta meet a
    condition jointly at the product of the levels (worst.nfc-cone, also after post-processing).
    With a coupling the joint ratio is so at most R_1 ... R_K (worst.coupling); otherwise at most c
    R_1 ... R_K with c = max_y (mu beta)_y / nu_y (worst.nfc-constant). For one mechanism run K
    times beta may be chosen for it.
    """

    _named = ("condition",)

    framework: Framework = field(repr=False)
    mechanism: Channel = field(repr=False)
    level: Level | None
    single: Audit = field(repr=False)
    rate: Rate = field(repr=False)
    columns: Columns = field(repr=False)
    conditions: tuple[Condition, ...]

    def __getitem__(self, name: str) -> Condition:
        return next(condition for condition in self.conditions if condition.name == name)

    def entries(self) -> list[Entry]:
        """Return a row for every condition: the smallest level at which it is met."""
        return [
            {
                "condition": condition.name,
                "holds": None if condition.holds is None else condition.holds.name,
                "composes": condition.composes.value,
                "constant": condition.constant,
                "lower": infinite_if_none(condition.lower),
                "upper": infinite_if_none(condition.upper),
            }
            for condition in self.conditions
        ]

    @property
    def weakest(self) -> Condition | None:
        """The weakest condition that composes and is met, at the level if one was asked for."""
        return self._first(("nfc", "one-hot", "coupling", "transport"))

    @property
    def weakest_exact(self) -> Condition | None:
        """The weakest condition met that composes exactly linearly."""
        return self._first(("coupling", "transport"))

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the smallest levels, the rate and the audit rest on."""
        rates = united(RATES_REST_ON, self.columns.rests_on, self.single.rests_on)
        return united(RESTS_ON, COUPLINGS_RESTS_ON, LEVEL_RESTS_ON, rates)

    @property
    def undecided(self) -> bool:
        """Whether the level is too close to the smallest one of some condition to tell."""
        return any(condition.holds is Decision.UNDECIDED for condition in self.conditions)

    def budget(self, runs: int) -> tuple[Condition, Fraction] | None:
        """Return a bound in nats of the leakage of `runs` runs, and the condition that gives it:
        the least of all of them.

        One run leaks what the promise says. None if the mechanism meets no condition at any level
        that bounds so many runs.

        Raises `ModelError` unless there is at least one run.
        """
        if runs < 1:
            raise ModelError(f"expected at least 1, found {runs}", "runs")
        alone = self["promise"]
        if runs == 1 and alone.upper is not None:
            return alone, alone.upper
        bounds = [
            (runs * one.upper + _logs(one.constant)[1], one)
            for one in self.conditions
            if one.upper is not None and one.constant is not None
        ]
        if not bounds:
            return None
        least = min(bound for bound, _ in bounds)
        return next((one, bound) for bound, one in bounds if bound == least)

    def _first(self, names: tuple[str, ...]) -> Condition | None:
        met = [self[name] for name in names]
        return next((one for one in met if (one.finite if one.holds is None else one.holds is Decision.HOLDS)), None)

    def as_json(self) -> JsonObject:
        """Return the conditions object of the file formats (without `inputs`)."""
        weakest, exact = self.weakest, self.weakest_exact
        return {
            "level": None if self.level is None else str(self.level),
            "conditions": [condition.as_json(self.columns.labels) for condition in self.conditions],
            "laws": [
                {"prior": prior, "pair": list(pair)} for laws in self.columns.laws for prior, pair in laws.places[:1]
            ],
            "rate": self.rate.as_json(),
            "weakest": None if weakest is None else weakest.name,
            "weakest_exact": None if exact is None else exact.name,
            "excluded": self.single.scope.excluded,
            "never_checked": [list(pair) for pair in self.single.scope.never_checked],
            "trust": ["EXACT", "INTERVAL"],
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        level = "at any level" if self.level is None else f"at {self.level}"
        weakest = "none that composes" if self.weakest is None else f"the weakest that composes is {self.weakest.name}"
        parts = [f"{one.name} {_smallest(one)}" for one in self.conditions]
        return f"met {level}: {weakest}; smallest levels in nats: {', '.join(parts)}"


def _smallest(met: Condition) -> str:
    if met.lower is None or met.upper is None:
        return "never"
    return between(met.lower, met.upper)


def composition_conditions(framework: Framework, mechanism: Channel, level: LevelLike | None = None) -> Conditions:
    """Find the smallest level at which a mechanism meets each condition that composes, and decide
    one level.

    >>> from pufferproof import Channel, Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> mechanism = Channel.of({"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["3/4", "1/4"]}, ["u", "v"])
    >>> met = composition_conditions(framework, mechanism, "log(2)")
    >>> [(one.name, str(one.enclosure().upper)[:6], one.holds.name) for one in met.conditions]
    [('promise', '0', 'HOLDS'), ('transport', '0.6931', 'HOLDS'), ('coupling', '0.4054', 'HOLDS'),
     ('one-hot', '0.6931', 'HOLDS'), ('nfc', '0.4054', 'HOLDS')]
    >>> met.weakest.name, met.weakest_exact.name
    ('nfc', 'coupling')

    Args:
        framework: without convex closure.
        mechanism: any channel on it.
        level: decide whether each condition holds at this level.

    Raises `ModelError` unless the mechanism fits, and as `Columns` does.
    """
    framework = check_type(framework, Framework, "framework")
    mechanism = check_type(mechanism, Channel, "mechanism")
    level = None if level is None else Level.coerce(level, "level")
    columns = Columns(framework)
    aligned = mechanism.aligned(framework.databases, framework.support)
    single, rate = audit(framework, aligned, level), composition_rate(framework, aligned)
    table = LogTable(Games([aligned]), columns.databases)
    costs = [table.costs(laws) for laws in columns.laws]
    promise, nfc = _promise(single), _nfc(columns, rate)
    transport, one_hot = _transport(columns, costs), _one_hot(columns, costs)
    coupling = _coupling(columns, table, costs, transport, promise, nfc)
    if one_hot.exact is not None and one_hot.exact == nfc.exact and (one_hot.constant or 0) < (nfc.constant or 0):
        nfc = replace(nfc, constant=one_hot.constant, kernels=one_hot.kernels)
    conditions: tuple[Condition, ...] = (promise, transport, coupling, one_hot, nfc)
    if level is not None:
        conditions = _closed(
            tuple(replace(one, holds=_at(one, level, table, framework, aligned)) for one in conditions)
        )
    return Conditions(framework, aligned, level, single, rate, columns, conditions)


def _promise(single: Audit) -> Condition:
    ratio = single.leakage.ratio
    if ratio is None:
        return Condition("promise", None, None, None, Composes.NOT, None)
    return Condition("promise", *_logs(ratio), (ratio, 1), Composes.NOT, None)


def _transport(columns: Columns, costs: list[dict[Arc, Fraction]]) -> Condition:
    largest, kernels = Fraction(1), list[Kernel]()
    for laws, each in zip(columns.laws, costs):
        cost, routing = bottleneck(laws, each)
        if cost is None or routing.kernel is None:
            return Condition("transport", None, None, None, Composes.EXACTLY, None)
        largest = max(largest, cost)
        kernels.append(routing.kernel)
    return Condition("transport", *_logs(largest), (largest, 1), Composes.EXACTLY, Fraction(1), tuple(kernels))


def _one_hot(columns: Columns, costs: list[dict[Arc, Fraction]]) -> Condition:
    """Find the largest over x of the least cost over y, mixed so that the constant is least."""
    kind = Composes.UP_TO_A_CONSTANT
    nearest = [
        [min((cost for (a, _), cost in each.items() if a == x), default=None) for x in support(laws.mu)]
        for laws, each in zip(columns.laws, costs)
    ]
    if any(cost is None for row in nearest for cost in row):
        return Condition("one-hot", None, None, None, kind, None)
    largest = max(cost for row in nearest for cost in row if cost is not None)
    kernels, constant = list[Kernel](), Fraction(1)
    for laws, each in zip(columns.laws, costs):
        routing = routed(laws, [arc for arc, cost in each.items() if cost <= largest])
        if routing.kernel is None or routing.constant is None:
            raise SolverError("databases that have a near one were not routed to any")
        kernels.append(routing.kernel)
        constant = max(constant, routing.constant)
    return Condition("one-hot", *_logs(largest), (largest, 1), kind, constant, tuple(kernels))


def _nfc(columns: Columns, rate: Rate) -> Condition:
    kind = Composes.UP_TO_A_CONSTANT
    if rate.infinite:
        return Condition("nfc", None, None, None, kind, None)
    place = {label: x for x, label in enumerate(columns.labels)}
    betas = [(place[x], {place[y]: weight for y, weight in row.items()}) for x, row in rate.betas]
    kernels = tuple(
        {x: next(row for a, row in betas if a == x and all(laws.nu[y] for y in row)) for x in support(laws.mu)}
        for laws in columns.laws
    )
    constant = max(constant_of(laws, kernel) for laws, kernel in zip(columns.laws, kernels))
    return Condition("nfc", rate.lower, rate.upper, rate.exact, kind, constant, kernels)


def _coupling(
    columns: Columns,
    table: LogTable,
    costs: list[dict[Arc, Fraction]],
    transport: Condition,
    promise: Condition,
    nfc: Condition,
) -> Condition:
    """Enclose the largest over pairs of laws, exactly if it is the promise, the rate or 0."""
    if not transport.finite or promise.lower is None or nfc.lower is None:
        return replace(transport, name="coupling")
    lower = max(promise.lower, nfc.lower)
    upper, kernels = lower, list[Kernel]()
    for laws, cost, kernel in zip(columns.laws, costs, transport.kernels):
        if _logs(max(cost[x, y] for x, row in kernel.items() for y in row))[1] <= lower:
            kernels.append(kernel)
            continue
        least = least_level(table, laws, list(cost), kernel)
        kernels.append(least.kernel)
        lower, upper = max(lower, least.lower), max(upper, least.upper)
    result = Condition("coupling", lower, max(lower, upper), None, Composes.EXACTLY, Fraction(1), tuple(kernels))
    for exact in (promise.exact, nfc.exact):
        if exact is not None and _reaches(table, result, exact):
            low, high = _logs(exact[0])
            return replace(result, lower=low / exact[1], upper=high / exact[1], exact=exact)
    return result


def _reaches(table: LogTable, coupling: Condition, exact: tuple[Fraction, int]) -> bool:
    """Say whether the kernels are known to keep log(q) / d, which is a lower bound of the level."""
    q, d = exact
    low, high = _logs(q)
    if coupling.upper is None or abs(coupling.upper - low / d) > _CLOSE * max(high / d, _CLOSE):
        return False
    return all(table.keeps(kernel, (q, _ZERO), d) is Decision.HOLDS for kernel in coupling.kernels)


def _at(one: Condition, level: Level, table: LogTable, framework: Framework, mechanism: Channel) -> Decision:
    """Decide a condition at a level: by its exact value, its bounds, or its kernels."""
    if one.lower is None or one.upper is None:
        return Decision.FAILS
    if one.exact is not None and one.exact[1] == 1:
        return Decision.at_most(level.compare(one.exact[0]))
    if one.name == "nfc":
        return check_nfc(framework, mechanism, level).answer
    low, high = (level.nats, level.nats) if level.nats is not None else _logs(level.ratio or Fraction(1))
    if one.upper <= low:
        return Decision.HOLDS
    if one.lower > high:
        return Decision.FAILS
    value = (level.ratio or Fraction(1), level.nats or _ZERO)
    kept = all(table.keeps(kernel, value) is Decision.HOLDS for kernel in one.kernels)
    return Decision.HOLDS if kept else Decision.UNDECIDED


def _closed(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Settle what is undecided by what implies it, and by what it implies."""
    holds = {one.name: one.holds for one in conditions}
    implies: Mapping[str, tuple[str, ...]] = {
        "transport": ("promise", "coupling", "one-hot", "nfc"),
        "coupling": ("promise", "nfc"),
        "one-hot": ("nfc",),
    }
    for strong, weaker in implies.items():
        for weak in weaker:
            if holds[strong] is Decision.HOLDS and holds[weak] is Decision.UNDECIDED:
                holds[weak] = Decision.HOLDS
            if holds[weak] is Decision.FAILS and holds[strong] is Decision.UNDECIDED:
                holds[strong] = Decision.FAILS
    return tuple(replace(one, holds=holds[one.name]) for one in conditions)


def _logs(ratio: Fraction) -> tuple[Fraction, Fraction]:
    return (_ZERO, _ZERO) if ratio == 1 else log_bounds(ratio, _ACCURACY)
