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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.linear import Program, Row, Solution, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.priors.records import preview

# Losses: what an analyst loses when a mechanism says w while the database is x, and the exact expected loss of a
# mechanism.
#
# A loss is a table of rationals, loss(x, w); smaller is better, and a utility is a negative loss. Its expectation
# under a prior is sum_x theta(x) sum_w P(w | x) loss(x, w); the worst case is the largest over the priors. Standard
# tables compare the output with the value of a query: error probability, absolute and squared error.


@dataclass(frozen=True)
class Loss:
    """A loss table: `table[x][i]` is the loss of output `outputs[i]` when the database is x.

    >>> Loss(["low", "high"], {"a": [0, "1/2"], "b": [1, 0]}).table["a"]
    (Fraction(0, 1), Fraction(1, 2))

    Raises `ModelError` unless outputs are distinct and every row has one number per output.
    """

    made_by: ClassVar = {"dict": "Loss.of(outputs, table) makes one"}

    outputs: tuple[str, ...]
    table: Mapping[str, tuple[Fraction, ...]] = field(repr=False)

    def __init__(self, outputs: Sequence[str], table: Mapping[str, Sequence[object]]) -> None:
        outputs = check_type(outputs, Sequence[str], "outputs")
        table = check_type(table, Mapping[str, Sequence[object]], "table")
        names = tuple(outputs)
        if not names or len(set(names)) < len(names):
            raise ModelError("expected at least one output, each once", "outputs")
        rows = {}
        for label, row in table.items():
            if len(row) != len(names):
                raise ModelError(
                    f"expected {len(names)} entries, one per output, found {len(row)}", f'loss row "{label}"'
                )
            rows[label] = tuple(exact(entry) for entry in row)
        hold(self, outputs=names, table=rows)

    @classmethod
    def of(cls, outputs: Sequence[str], table: Mapping[str, Sequence[Any]]) -> "Loss":
        """Build a loss, as the class itself does."""
        return cls(outputs, table)

    def rows(self, framework: Framework) -> list[tuple[Fraction, ...]]:
        """Return a row for every database of a framework, zeros where no prior gives it any weight.

        Raises `ModelError` unless databases are known and every one of positive probability has a
        row.
        """
        for label in self.table:
            if label not in framework.databases:
                raise ModelError(f'unknown database "{label}", expected one of {preview(framework.databases)}', "loss")
        for x in sorted(framework.support):
            if framework.databases[x] not in self.table:
                raise ModelError(
                    f'no row for database "{framework.databases[x]}", which has positive probability', "loss"
                )
        nothing = (Fraction(0),) * len(self.outputs)
        return [self.table.get(label, nothing) for label in framework.databases]

    def expected(self, framework: Framework, mechanism: Channel, prior: str | None = None) -> Fraction:
        """Return the expected loss of a mechanism under a prior, or the largest over all priors.

        Raises `ModelError` unless the outputs of the mechanism are among those of the loss, and the
        prior is known.
        """
        framework = check_type(framework, Framework, "framework")
        mechanism = check_type(mechanism, Channel, "mechanism")
        prior = check_type(prior, str | None, "prior")
        place = {output: i for i, output in enumerate(self.outputs)}
        for output in mechanism.outputs:
            if output not in place:
                raise ModelError(f'output "{output}" has no loss, expected one of {preview(self.outputs)}', "channel")
        aligned, rows = (mechanism.aligned(framework.databases, framework.support), self.rows(framework))
        columns = [place[output] for output in mechanism.outputs]
        largest = None
        for name in [prior] if prior is not None else framework.priors:
            law = framework.laws[known_prior(framework, name)]
            total = Fraction(0)
            for x in law.support:
                mean = sum(n * rows[x][i] for n, i in zip(aligned.numerators_of(x), columns))
                total += Fraction(law.weights[x], law.total) * mean / aligned.denominators[x]
            largest = total if largest is None else max(largest, total)
        return Fraction(largest or 0)


def known_prior(framework: Framework, name: str) -> str:
    """Return a prior's name. Raises `ModelError` unless the framework has it."""
    if name not in framework.priors:
        raise ModelError(f'unknown prior "{name}", expected one of {preview(tuple(framework.priors))}', "prior")
    return name


def error_probability(query: Mapping[str, str], outputs: Sequence[str] | None = None) -> Loss:
    """Return the loss that counts wrong answers: 0 if the output is the query's value, else 1.

    >>> error_probability({"a": "yes", "b": "no"}).table["b"]
    (Fraction(1, 1), Fraction(0, 1))

    Args:
        query: the value of every database, as the name of an output.
        outputs: the answers that are possible, those of the query if left out.
    """
    query = check_type(query, Mapping[str, str], "query")
    outputs = check_type(outputs, Sequence[str] | None, "outputs")
    names = list(dict.fromkeys(query.values())) if outputs is None else list(outputs)
    return Loss.of(names, {x: [int(value != name) for name in names] for x, value in query.items()})


def absolute_error(query: Mapping[str, object], outputs: Sequence[str] | None = None) -> Loss:
    """Return the loss |output - value of the query|; outputs are read as numbers.

    >>> absolute_error({"a": 0, "b": 3}).table["b"]
    (Fraction(3, 1), Fraction(0, 1))
    """
    return _numeric(query, outputs, abs)


def squared_error(query: Mapping[str, object], outputs: Sequence[str] | None = None) -> Loss:
    """Return the loss (output - value of the query)^2; outputs are read as numbers.

    >>> squared_error({"a": 0, "b": 3}, ["0", "1.5"]).table["b"]
    (Fraction(9, 1), Fraction(9, 4))
    """
    return _numeric(query, outputs, lambda gap: gap * gap)


def _numeric(
    query: Mapping[str, object], outputs: Sequence[str] | None, measure: Callable[[Fraction], Fraction]
) -> Loss:
    query = check_type(query, Mapping[str, object], "query")
    outputs = check_type(outputs, Sequence[str] | None, "outputs")
    names = list(dict.fromkeys(map(str, query.values()))) if outputs is None else list(outputs)
    values = [exact(name) for name in names]
    return Loss.of(names, {x: [measure(value - exact(q)) for value in values] for x, q in query.items()})


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
