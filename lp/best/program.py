"""The linear program whose variables are a whole mechanism: least expected loss under inequalities
that are linear in P(w | x).

    minimise    t
    subject to  sum_x theta(x) sum_w P(w|x) loss(x, w) <= t for each prior theta in question,
                sum_w P(w|x) = 1 for every database x,  P >= 0,
                and inequalities sum_xw a_xw P(w|x) <= 0.

Pufferfish inequalities <mu, u_w> <= R <nu, u_w>, per-record differential privacy u_x <= S u_y and
inequalities between two databases are of that kind. Whatever multipliers lambda >= 0 of the
inequalities and mixture weights of the priors one chooses,

    least loss >= sum_x min over w of (sum_theta weight_theta theta(x) loss(x, w) + (lambda A)_xw),

which bounds the least loss rigorously for multipliers that came from floats.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.best.losses import Loss, known_prior
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.linear import Program, Row, Solution, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework

RESTS_ON = ("worst.columns",)
Arc = tuple[int, int]  # places in `Framework.databases`
Inequality = Mapping[int, Fraction | int]  # sum of coefficients times variables <= 0
_ZERO = Fraction(0)


@dataclass(frozen=True)
class Best:
    """The exact optimum of a channel program: its value, a channel that attains it, and the
    certificate of optimality.

    `multipliers` of the inequalities and `mixture` of the priors give the same value as a lower
    bound (`ChannelProgram.bound`). `program` maximises the negative loss; `solution` is its
    certified end.
    """

    value: Fraction
    channel: Channel
    multipliers: tuple[Fraction, ...]
    mixture: tuple[Fraction, ...]
    program: Program
    solution: Solution


class ChannelProgram:
    """The program of one framework and loss; inequalities are added by the caller.

    Args:
        framework: without convex closure.
        loss: the table to minimise.
        prior: take the expectation under this prior; None: the worst case over all priors.
    """

    def __init__(self, framework: Framework, loss: Loss, prior: str | None = None) -> None:
        self.framework = framework
        self.columns = Columns(framework)
        self.loss = loss
        self.outputs = len(loss.outputs)
        self.variables = len(framework.databases) * self.outputs
        names = list(framework.priors) if prior is None else [known_prior(framework, prior)]
        rows = loss.rows(framework)
        self.costs: list[dict[int, Fraction]] = []
        for name in names:
            law = framework.laws[name]
            self.costs.append(
                {
                    self.place(x, w): Fraction(law.weights[x], law.total) * rows[x][w]
                    for x in law.support
                    for w in range(self.outputs)
                    if rows[x][w]
                }
            )

    def place(self, x: int, w: int) -> int:
        """Return the variable P(w | x)."""
        return x * self.outputs + w

    @property
    def names(self) -> list[str]:
        """The names of the variables of `Best.program`: P(w | x), and the loss if needed."""
        names = [f"P({w} | {x})" for x in self.framework.databases for w in self.loss.outputs]
        labels = names if len(set(names)) == len(names) else [f"x{j}" for j in range(self.variables)]
        return labels if len(self.costs) == 1 else [*labels, "worst loss"]

    def pufferfish(self, ratio: Fraction) -> Iterator[Inequality]:
        """Yield <mu, u_w> <= ratio <nu, u_w> for all laws and outputs."""
        for laws in self.columns.laws:
            row = {
                x: Fraction(m, laws.mu_total) - ratio * Fraction(n, laws.nu_total)
                for x, m, n in zip(self.columns.databases, laws.mu, laws.nu)
                if m or n
            }
            for w in range(self.outputs):
                yield {self.place(x, w): value for x, value in row.items()}

    def per_record(self, ratio: Fraction) -> Iterator[Inequality]:
        """Yield u_x <= ratio u_y for databases that differ in one record. Raises `ModelError`
        unless there are records.
        """
        return self.between(ratio, neighbours(self.framework))

    def between(self, ratio: Fraction, arcs: Iterable[Arc]) -> Iterator[Inequality]:
        """Yield u_x <= ratio u_y for pairs (x, y) and all outputs."""
        for x, y in arcs:
            for w in range(self.outputs):
                yield {self.place(x, w): 1, self.place(y, w): -ratio}

    def solve(self, inequalities: Sequence[Inequality]) -> Best:
        """Return the exact optimum. Raises `SolverError` if it is not found, `ModelError` if
        there is no such mechanism.
        """
        size, single = self.variables, len(self.costs) == 1
        sums = [
            Row({self.place(x, w): 1 for w in range(self.outputs)}, "=", 1)
            for x in range(len(self.framework.databases))
        ]
        rows = [*(Row(row, "<=") for row in inequalities), *sums]
        rows += [] if single else [Row({**cost, size: -1}, "<=") for cost in self.costs]
        objective = {j: -c for j, c in self.costs[0].items()} if single else {size: Fraction(-1)}
        free = frozenset() if single else frozenset([size])
        program = Program(objective, rows, size + (not single), free)
        solution = solve_exact(program)
        if solution.status is not Status.OPTIMAL or solution.value is None:
            raise ModelError(f"expected constraints that some mechanism meets, found {solution.status.value} ones")
        count = len(inequalities)
        mixture = (Fraction(1),) if single else solution.dual[count + len(sums) :]
        best = Best(-solution.value, self.channel(solution.x), solution.dual[:count], mixture, program, solution)
        if self.bound(inequalities, best.multipliers, best.mixture) != best.value:
            raise SolverError("the certificate of an optimal mechanism failed its own check")
        return best

    def bound(
        self, inequalities: Sequence[Inequality], multipliers: Sequence[Fraction], mixture: Sequence[Fraction]
    ) -> Fraction:
        """Return a lower bound of the least loss (see this file's head), from the definitions
        alone.

        Raises `ModelError` unless multipliers are non-negative, one per inequality, and the mixture
        sums to 1.
        """
        if len(multipliers) != len(inequalities) or any(m < 0 for m in multipliers):
            raise ModelError("expected a non-negative multiplier for every inequality")
        if len(mixture) != len(self.costs) or any(m < 0 for m in mixture) or sum(mixture) != 1:
            raise ModelError("expected non-negative weights of the priors that sum to 1")
        reduced = [_ZERO] * self.variables
        for weight, row in [*zip(mixture, self.costs), *zip(multipliers, inequalities)]:
            if weight:
                for j, value in row.items():
                    reduced[j] += weight * value
        starts = range(0, self.variables, self.outputs)
        return sum((min(reduced[start : start + self.outputs]) for start in starts), _ZERO)

    def loss_of(self, channel: Channel, prior: str | None) -> Fraction:
        """Return the exact expected loss of a channel."""
        return self.loss.expected(self.framework, channel, prior)

    def channel(self, x: Sequence[Fraction]) -> Channel:
        """Return the channel whose probabilities are the variables."""
        labels, size = self.framework.databases, self.outputs
        return Channel.of(
            {label: list(x[i * size : (i + 1) * size]) for i, label in enumerate(labels)}, self.loss.outputs
        )


def neighbours(framework: Framework) -> Iterator[Arc]:
    """Yield every ordered pair of databases that differ in one record.

    Raises `ModelError` unless databases are made of records.
    """
    if framework.sized is not None:
        framework.expect_records()
    records = framework.records
    if records is None:
        raise ModelError(
            "expected databases made of records for a per-record level, found databases without", "records"
        )
    base = len(records.alphabet)
    for x in range(len(framework.databases)):
        for k in range(records.count):
            step = base**k
            digit = x // step % base
            for other in range(base):
                if other != digit:
                    yield x, x + (other - digit) * step
