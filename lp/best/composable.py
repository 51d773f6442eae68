"""The best mechanism that also composes: least expected loss under a chosen condition with
geometric means.

Beside the Pufferfish inequalities, a kernel beta for every pair of laws is fixed and the mechanism
keeps

    P(w|x) <= R prod_y P(w|y)^beta_xy    for every x in supp mu and output w,

so that all such mechanisms compose: exactly linearly if every kernel is a coupling, else up to a
constant (`lp/conditions.py`). An exponential cone program in floats proposes; a mechanism
made exact is the upper bound of the loss, a linear program with tangents, whose multipliers are
rounded, the lower one (`lp/best/mechanism.py`). Nothing rests on the solvers.
"""

import importlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.lp.best.mechanism import (
    PROGRAM_RESTS_ON,
    ChannelProgram,
    Inequality,
    Loss,
    Optimal,
    linear_inequalities,
    loss_json,
    optimal_mechanism,
)
from pufferproof.lp.conditions import Kernel, Mean, cheapest, constant_of, independent, is_kernel
from pufferproof.lp.cones.columns import Columns, columns_rest_on
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.audit import audit
from pufferproof.verify.decision import Decision, bases, united

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.nfc-cone", "worst.nfc-constant", "worst.coupling")
GAP = Fraction(1, 10**9)  # of the bounds of the least loss, relative to the largest loss
_ACCURACY = 64
_UNIT, _FINE = 1 << 44, 1 << 60
_ROUNDS = 12
_ZERO = Fraction(0)


@dataclass(frozen=True)
class ComposableOptimal:
    """The least expected loss at a level under a composing condition, `lower` to `upper`, and a
    mechanism that has `upper`.

    `kernels` has beta for every pair of laws, `constant` what K runs pay once: joint ratio at most
    constant * R^K. `tangents` counts the linear inequalities that gave `lower`.
    """

    framework: Framework = field(repr=False)
    level: Level
    loss: Loss = field(repr=False)
    prior: str | None
    per_record: Level | None
    kernels: tuple[Kernel, ...] = field(repr=False)
    constant: Fraction
    channel: Channel
    lower: Fraction
    upper: Fraction
    tangents: int

    @property
    def composes_exactly(self) -> bool:
        """Whether every kernel is a coupling."""
        return self.constant == 1

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return ("EXACT",) if self.lower == self.upper else ("EXACT", "INTERVAL")

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return united(RESTS_ON, PROGRAM_RESTS_ON, columns_rest_on(self.framework))

    def as_json(self) -> JsonObject:
        """Return the optimum object of the file formats (without file names and `inputs`)."""
        return {
            "level": str(self.level),
            "per_record_dp": None if self.per_record is None else str(self.per_record),
            "prior": self.prior,
            "loss": loss_json(self.lower, self.upper),
            "leakage": audit(self.framework, self.channel).leakage.as_json(),
            "compose": {
                "condition": "coupling" if self.composes_exactly else "nfc",
                "constant": text_of(self.constant),
            },
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }


def chosen_kernels(framework: Framework, loss: Loss, choice: str = "coupling") -> tuple[Kernel, ...]:
    """Return a coupling kernel for every pair of laws, in the order of `Columns(framework).laws`.

    Args:
        choice: `"coupling"` couples databases whose losses differ least (optimal transport with the
            cost max over w of |loss(x, w) - loss(y, w)|); `"independent"` is the independent
            coupling.
    """
    columns, rows = Columns(framework), loss.rows(framework)
    if choice not in ("coupling", "independent"):
        raise ModelError(f'expected "coupling" or "independent", found "{choice}"', "kernels")

    def cost(x: int, y: int) -> Fraction:
        left, right = rows[columns.databases[x]], rows[columns.databases[y]]
        return max(abs(a - b) for a, b in zip(left, right))

    return tuple(independent(laws) if choice == "independent" else cheapest(laws, cost) for laws in columns.laws)


def optimal_composable(
    framework: Framework,
    level: Level,
    loss: Loss,
    kernels: Sequence[Kernel],
    prior: str | None = None,
    per_record: Level | None = None,
) -> ComposableOptimal:
    """Find the mechanism within a level, and under P(w|x) <= R prod_y P(w|y)^beta_xy, whose
    expected loss is least.

    >>> from pufferproof import Framework, Table
    >>> from pufferproof.lp.best.mechanism import error_probability
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> loss = error_probability({"a": "1", "b": "1", "c": "0"})
    >>> best = optimal_composable(framework, Level.log(2), loss, chosen_kernels(framework, loss))
    >>> best.composes_exactly, best.upper - best.lower < Fraction(1, 10**6)
    (True, True)

    Args:
        framework: without convex closure.
        kernels: one for every pair of laws of `Columns(framework)`, in order, with places in
            `Columns.databases`.
        prior: minimise the expectation under this prior; None: under the worst of all priors.
        per_record: a level of per-record differential privacy that it keeps as well.

    Raises `ModelError` unless kernels fit the laws, and as `optimal_mechanism` does.
    """
    program = ChannelProgram(framework, loss, prior)
    laws, places = program.columns.laws, program.columns.databases
    if len(kernels) != len(laws) or not all(map(is_kernel, laws, kernels)):
        raise ModelError(
            "expected for every pair of laws a kernel with a row for every database of the first", "kernels"
        )
    constant = max(map(constant_of, laws, kernels))
    rows = {(x, tuple(sorted(row.items()))) for kernel in kernels for x, row in kernel.items()}
    means = [Mean(places[x], {places[y]: weight for y, weight in row}) for x, row in sorted(rows)]
    arcs = sorted({(mean.x, y) for mean in means for y in mean.weights})
    # u_x <= R u_y for these implies the means
    plain = optimal_mechanism(framework, level, loss, prior, per_record, arcs)
    if level.ratio == 1:
        return _result(plain, kernels, constant, plain.channel, plain.lower, 0)
    search = _CuttingPlanes(program, means, level, plain)
    search.run()
    if audit(framework, search.channel, level).kept is not Decision.HOLDS:
        raise SolverError("the optimal composable mechanism failed its own check")
    return _result(plain, kernels, constant, search.channel, search.lower, len(search.tangents))


def _result(
    plain: Optimal, kernels: Sequence[Kernel], constant: Fraction, channel: Channel, lower: Fraction, tangents: int
) -> ComposableOptimal:
    upper = plain.loss.expected(plain.framework, channel, plain.prior)
    asked = (plain.framework, plain.level, plain.loss, plain.prior, plain.per_record)
    return ComposableOptimal(*asked, tuple(kernels), constant, channel, lower, upper, tangents)


class _CuttingPlanes:
    """Proposals in floats and the exact bounds they prove: the best `channel`, `upper`, `lower`."""

    def __init__(self, program: ChannelProgram, means: Sequence[Mean], level: Level, plain: Optimal) -> None:
        self.program, self.means, self.prior = program, means, plain.prior
        self.channel, self.upper = plain.channel, plain.upper
        low, high = level.bounds(_ACCURACY)
        self.low, self.high = max(low, Fraction(1)), high
        records = (None, None) if plain.per_record is None else plain.per_record.bounds(_ACCURACY)
        self.inner = linear_inequalities(program, self.low, records[0] and max(records[0], Fraction(1)))
        self.outer = linear_inequalities(program, self.high, records[1])
        self.tangents: list[Inequality] = []
        self.shape = (len(program.framework.databases), program.outputs)
        even = (Fraction(1, len(program.costs)),) * len(program.costs)
        self.lower = program.bound((), (), even)

    def run(self) -> None:
        """Narrow both bounds by tangents at optima of the cone program and linear programs."""
        import numpy as np

        scale = max((abs(c) for cost in self.program.costs for c in cost.values()), default=_ZERO)
        # the float optimum of the exponential cone program, the uniform mechanism if Clarabel
        # gives none.
        # The set of these mechanisms is convex, as weighted geometric means are concave
        # (worst.nfc-cone): with t = P(w|x) / R the constraint says sum_y beta_xy t log(t /
        # P(w|y)) <= 0. For R = 1 the inequalities force u_x = u_y wherever beta_xy > 0 (sum over
        # w, Hoelder with equality): a linear program.
        with extras:
            cp: Any = importlib.import_module("cvxpy")  # its type hints miss what its modules re-export
        p = cp.Variable(self.shape, nonneg=True)
        flat = cp.vec(p, order="C")
        size = self.program.variables
        constraints = [cp.sum(p, axis=1) == 1, _matrix(self.inner, size) @ flat <= 0]
        ratio = float(self.high)
        for mean in self.means:
            t = p[mean.x, :] / ratio
            if len(mean.weights) == 1:
                constraints.append(t <= p[next(iter(mean.weights)), :])
            else:
                constraints.append(sum(float(b) * cp.rel_entr(t, p[y, :]) for y, b in mean.weights.items()) <= 0)
        worst = cp.max(_matrix(self.program.costs, size) @ flat)
        problem = cp.Problem(cp.Minimize(worst), constraints)
        near = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-11)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it may be inaccurate: the exact bounds will say
            proposing(problem.solve)(solver=cp.CLARABEL, **near)
        values = p.value
        if values is None or np.shape(values) != self.shape or not are_numbers(np.ravel(values)):
            proposal = np.full(self.shape, 1 / self.shape[1])
        else:
            proposal = np.asarray(values)
        self._offer(proposal)
        self._touch(np.ones(self.shape))
        point = proposal
        for _ in range(_ROUNDS):
            if self.upper - self.lower <= GAP * scale:
                return
            self._touch(np.maximum(point, 1e-7))
            optimum = self._linear_bound()
            if optimum is None:
                return
            self._offer(optimum)
            point = (np.maximum(proposal, 0) + optimum) / 2

    def _offer(self, proposal: "NDArray[np.float64]") -> None:
        """Keep the rounded proposal, mixed with the least share of the uniform mechanism that
        works, if its loss is smaller.

        The uniform mechanism is strictly feasible for R > 1; inequalities are checked by integer
        powers, or enclosed logarithms, and the exact loss is an upper bound.

        What a share does, every larger one does: the set of mechanisms is convex.
        """
        # float rows as rationals that are non-negative and sum to 1
        rationals = []
        for floats in proposal.tolist():
            row = [max(0, round(value * _UNIT)) for value in floats]
            row[row.index(max(row))] += _UNIT - sum(row)
            rationals.append([Fraction(value, _UNIT) for value in row])
        rows, even = rationals, Fraction(1, self.shape[1])
        low, high, best = 1, 48, None  # shares 2^-low .. 2^-high; the largest exponent that works
        while low <= high:
            middle = (low + high) // 2
            share = Fraction(1, 1 << middle)
            mixed = [[(1 - share) * value + share * even for value in row] for row in rows]
            if self.feasible(mixed):
                low, best = middle + 1, mixed
            else:
                high = middle - 1
        if best is not None:
            channel = self.program.channel([value for row in best for value in row])
            loss = self.program.loss_of(channel, self.prior)
            if loss < self.upper:
                self.channel, self.upper = channel, loss

    def feasible(self, rows: Sequence[Sequence[Fraction]]) -> bool:
        """Say whether a mechanism keeps every inequality at the lower ratio, exactly."""
        flat = [value for row in rows for value in row]
        if any(sum((c * flat[j] for j, c in row.items()), _ZERO) > 0 for row in self.inner):
            return False
        columns = [dict(enumerate(column)) for column in zip(*rows)]
        return all(mean.holds(u, self.low) for mean in self.means for u in columns)

    def _touch(self, point: "NDArray[np.float64]") -> None:
        """Add the tangent of every mean at a positive point, with rational coefficients that
        keep it above the mean.

        prod_y u_y^beta_y <= sum_y beta_y a_y u_y for rational a > 0 with prod_y a_y^beta_y >= 1:
        tangents lie above geometric means (bai2026.x-am-gm), so that a linear program with them
        bounds the loss from below.
        """
        import numpy as np

        for mean in self.means:
            common, powers = mean.powers
            places = list(powers)
            logs = np.log(point[places, :])
            weights = np.array([powers[y] / common for y in places])
            for w in range(self.shape[1]):
                slopes = np.exp(weights @ logs[:, w] - logs[:, w])
                above = mean.above(dict(zip(places, slopes.tolist())))
                row = {y: -self.high * c for y, c in above.items()}
                place = self.program.place
                self.tangents.append({place(mean.x, w): 1, **{place(y, w): c for y, c in row.items()}})

    def _linear_bound(self) -> "NDArray[np.float64] | None":
        """Raise `lower` to what rounded multipliers of the linear program prove."""
        import numpy as np

        inequalities = [*self.outer, *self.tangents]
        # what HiGHS says of the least worst loss within inequalities, in floats
        with extras:
            from scipy.optimize import linprog
            from scipy.sparse import vstack

        costs, size = self.program.costs, self.program.variables
        spread = _matrix(inequalities, size + 1)
        worst = _matrix([{**cost, size: -1} for cost in costs], size + 1)
        sums = [{self.program.place(x, w): 1 for w in range(self.shape[1])} for x in range(self.shape[0])]
        result = proposing(linprog)(
            np.append(np.zeros(size), 1.0),
            A_ub=vstack([spread, worst]).tocsr(),
            b_ub=np.zeros(len(inequalities) + len(costs)),
            A_eq=_matrix(sums, size + 1),
            b_eq=np.ones(len(sums)),
            bounds=[(0, None)] * size + [(None, None)],
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if result is None or result.x is None:
            return None
        if not are_numbers([*result.x, *result.ineqlin.marginals]):
            return None
        duals = [max(_ZERO, -Fraction(round(float(m) * _FINE), _FINE)) for m in result.ineqlin.marginals]
        multipliers, mixture = duals[: len(inequalities)], duals[len(inequalities) :]
        total = sum(mixture, _ZERO)
        if total:
            weights = [weight / total for weight in mixture]
            self.lower = max(self.lower, self.program.bound(inequalities, multipliers, weights))
        return np.asarray(result.x[:-1].reshape(self.shape))


def _matrix(rows: Sequence[Inequality], width: int) -> Any:
    with extras:
        from scipy.sparse import coo_array

    entries = [(i, j, float(c)) for i, row in enumerate(rows) for j, c in row.items() if c]
    places = [i for i, _, _ in entries], [j for _, j, _ in entries]
    return coo_array(([c for _, _, c in entries], places), shape=(len(rows), width)).tocsr()
