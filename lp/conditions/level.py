"""The smallest level at which a mechanism meets the coupling condition, enclosed with exact
kernels.

For laws (mu, nu) a kernel beta with mu beta = nu, and so a coupling, is wanted with

    log P(w|x) <= epsilon + sum_y beta_xy log P(w|y)
        for every x in supp mu and output w with P(w|x) > 0.

The least epsilon is a linear program in (beta, epsilon) with logarithms in it. Floats propose a
vertex; its beta is rounded so that it stays exactly a coupling, and logarithms are enclosed, so the
upper bound is rigorous; so is the lower bound, by the multipliers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from pufferproof.lp.conditions.couplings import Arc, Kernel, constant_of, is_kernel, routed, support
from pufferproof.lp.cones.columns import OrderedLaws
from pufferproof.lp.exact.logarithms import sign_of_logs
from pufferproof.lp.rates.games import Games
from pufferproof.models.errors import extras
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.coupling", "worst.coupling-level")
_ACCURACY = 80  # bits of an enclosed logarithm
_UNIT = 1 << 48
_NICE = 24  # denominators tried first are this many times those of the laws at most
_ZERO = Fraction(0)


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
