"""The best mechanism within a budget: least expected loss over all mechanisms that keep a
framework's promise, exactly.

Pufferfish inequalities are linear in the probabilities P(w | x), and so is the expected loss, so
the best mechanism with given outputs is a linear program over channels, solved exactly with a dual
certificate. An auditor so sees how far a given mechanism is from the best possible. With `close`
pairs (x, y) the mechanism also keeps u_x <= R u_y, as in differential privacy; on the pairs of a
coupling of the laws of every pair of secrets it then composes exactly linearly
(`lp/conditions.py`). Conditions with geometric means are in `lp/best/composable.py`.
Losses are defined here, and the program.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from pufferproof.lp.conditions import routed
from pufferproof.lp.cones.columns import Columns, columns_rest_on, require_private
from pufferproof.lp.exact.linear import Program, Row, Solution, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.worst.certificates import lp_certificate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief, shown, text_of
from pufferproof.models.priors.records import preview
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.leakage.ratio import most_of

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


# The linear program whose variables are a whole mechanism: least expected loss under inequalities that are linear in
# P(w | x).
#
#     minimise    t
#     subject to  sum_x theta(x) sum_w P(w|x) loss(x, w) <= t for each prior theta in question,
#                 sum_w P(w|x) = 1 for every database x,  P >= 0,
#                 and inequalities sum_xw a_xw P(w|x) <= 0.
#
# Pufferfish inequalities <mu, u_w> <= R <nu, u_w>, per-record differential privacy u_x <= S u_y and inequalities
# between two databases are of that kind. Whatever multipliers lambda >= 0 of the inequalities and mixture weights of
# the priors one chooses,
#
#     least loss >= sum_x min over w of (sum_theta weight_theta theta(x) loss(x, w) + (lambda A)_xw),
#
# which bounds the least loss rigorously for multipliers that came from floats.

PROGRAM_RESTS_ON = ("worst.columns",)
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


RESTS_ON = ("worst.columns", "worst.coupling", "general.post-processing")
_ACCURACY = 64


@dataclass(frozen=True, repr=False)
class Optimal(Readable):
    """The least expected loss at a level, between `lower` and `upper`, and a mechanism within the
    level whose loss is `upper`.

    With `close` pairs u_x <= e^level u_y for these too. `best` is the program solved at `ratio`.
    `multipliers` of the inequalities at `ratio` (an upper bound of e^level) and the `mixture` of
    priors prove `lower`.
    """

    framework: Framework = field(repr=False)
    level: Level
    per_record: Level | None
    loss: Loss = field(repr=False)
    prior: str | None
    channel: Channel
    lower: Fraction
    upper: Fraction
    ratio: Fraction = field(repr=False)
    multipliers: tuple[Fraction, ...] = field(repr=False)
    mixture: tuple[Fraction, ...] = field(repr=False)
    close: tuple[Arc, ...] = field(default=(), repr=False)
    best: Best | None = field(default=None, repr=False)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return ("EXACT",) if self.lower == self.upper else ("EXACT", "INTERVAL")

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return united(RESTS_ON, PROGRAM_RESTS_ON, columns_rest_on(self.framework))

    @property
    def constant(self) -> Fraction | None:
        """With close pairs, what K runs pay once: joint ratio at most constant * e^(K level);
        None if they imply nothing.
        """
        columns = Columns(self.framework)
        place = {x: i for i, x in enumerate(columns.databases)}
        near = {(place[x], place[y]) for x, y in self.close if x in place and y in place}
        constants = [
            routed(laws, [(x, y) for x, y in near if laws.mu[x] and laws.nu[y]]).constant for laws in columns.laws
        ]
        return most_of(constants)

    def as_json(self) -> JsonObject:
        """Return the optimum object of the file formats (without file names and `inputs`)."""
        return {
            "level": str(self.level),
            "per_record_dp": None if self.per_record is None else str(self.per_record),
            "prior": self.prior,
            "loss": loss_json(self.lower, self.upper),
            "leakage": audit(self.framework, self.channel).leakage.as_json(),
            "compose": None if self.constant is None else {"condition": "one-hot", "constant": text_of(self.constant)},
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        record = "" if self.per_record is None else f" and {self.per_record} per record"
        prior = "the worst prior" if self.prior is None else f"prior {self.prior!r}"
        return (
            f"least expected loss {between(self.lower, self.upper)} within {self.level}{record}, "
            f"{prior}; {self.channel}"
        )


@dataclass(frozen=True, repr=False)
class Gap(Readable):
    """How far a mechanism is from the best: its expected `loss`, its audit at the level, and bounds
    of the `best` loss.

    A mechanism that violates the level may have a smaller loss than the best within it.
    """

    loss: Fraction
    single: Audit
    best: tuple[Fraction, Fraction]

    @property
    def lower(self) -> Fraction:
        """A lower bound of the loss that could be saved."""
        return self.loss - self.best[1]

    @property
    def upper(self) -> Fraction:
        """An upper bound of the loss that could be saved."""
        return self.loss - self.best[0]

    def as_json(self) -> JsonObject:
        """Return the gap object of the file formats."""
        return {
            "verdict": None if self.single.verdict is None else self.single.verdict.value,
            "leakage": self.single.leakage.as_json(),
            "loss": loss_json(self.loss, self.loss),
            "gap": loss_json(self.lower, self.upper),
        }

    def __str__(self) -> str:
        verdict = "" if self.single.verdict is None else f"{self.single.verdict.value} {self.single.level}; "
        gap = f"{between(self.lower, self.upper)} above the least"
        return f"{verdict}expected loss {between(self.loss, self.loss)}, {gap}; leakage {self.single.leakage}"


def loss_json(lower: Fraction, upper: Fraction) -> dict[str, object]:
    """Return a loss as `{"value", "lower", "upper"}`, `value` exact or null."""
    return {"value": text_of(lower) if lower == upper else None, **enclose(lower, upper).as_json()}


def loss_text(lower: Fraction, upper: Fraction) -> str:
    """Return a loss for a person, both bounds where they differ as they are shown."""
    return brief(lower) if brief(lower) == brief(upper) else f"{brief(lower)} to {brief(upper)}"


def optimal_mechanism(
    framework: Framework,
    level: LevelLike,
    loss: Loss,
    prior: str | None = None,
    per_record: LevelLike | None = None,
    close: Collection[Arc] = (),
) -> Optimal:
    """Find the mechanism within a level whose expected loss is least.

    A budget with irrational e^epsilon is put between two rational ones: the best mechanism at the
    lower keeps the budget, and the dual at the upper bounds all. More outputs than the loss has
    columns never help: merging outputs by the answer given keeps the promise
    (general.post-processing).

    >>> from pufferproof import Framework, Table
    >>> from pufferproof.lp.best.mechanism import error_probability
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> best = optimal_mechanism(framework, "log(3)", error_probability({"a": "yes", "b": "no"}))
    >>> best.upper, best.channel.probability("a", "yes")
    (Fraction(1, 4), Fraction(3, 4))

    Args:
        framework: without convex closure.
        level: the level it keeps.
        loss: what each output costs; its outputs are the mechanism's.
        prior: minimise the expectation under this prior; None: under the worst of all priors.
        per_record: a level of per-record differential privacy that it keeps as well.
        close: pairs (x, y) of places in `framework.databases` for which u_x <= e^level u_y.

    Raises `ModelError` unless the loss fits and levels are at most 900 nats, and as `Columns` does.
    """
    framework = check_type(framework, Framework, "framework")
    loss = check_type(loss, Loss, "loss")
    prior = check_type(prior, str | None, "prior")
    close = check_type(close, Collection[Arc], "close")
    kept, record = (
        Level.coerce(level, "level"),
        None if per_record is None else Level.coerce(per_record, "per_record"),
    )
    require_private([kept, record], "level")
    size = len(framework.databases)
    for arc in close:
        places = tuple(arc) if isinstance(arc, Collection) else ()
        if len(places) != 2 or not all(isinstance(place, int) and 0 <= place < size for place in places):
            raise ModelError(f"expected pairs of places from 0 to {size - 1}, found {shown(arc)}", "close")
    near = tuple((x, y) for x, y in close)
    program = ChannelProgram(framework, loss, prior)

    def solved(side: int) -> tuple[Fraction, Best]:
        ratio = max(kept.bounds(_ACCURACY)[side], Fraction(1))
        extra = None if record is None else max(record.bounds(_ACCURACY)[side], Fraction(1))
        return ratio, program.solve(linear_inequalities(program, ratio, extra, near))

    ratio, low = solved(0)
    rational = kept.ratio is not None and (record is None or record.ratio is not None)
    ratio, high = (ratio, low) if rational else solved(1)
    if audit(framework, low.channel, kept).kept is not Decision.HOLDS:
        raise SolverError("the optimal mechanism failed its own check")
    return Optimal(
        framework,
        kept,
        record,
        loss,
        prior,
        low.channel,
        high.value,
        low.value,
        ratio,
        high.multipliers,
        high.mixture,
        near,
        high,
    )


def optimality_gap(
    framework: Framework,
    mechanism: Channel,
    level: LevelLike,
    loss: Loss,
    prior: str | None = None,
    per_record: LevelLike | None = None,
) -> Gap:
    """Compare a mechanism's expected loss with the least one at a level.

    >>> from pufferproof import Channel, Framework, Table
    >>> from pufferproof.lp.best.mechanism import error_probability
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> timid = Channel.of({"a": {"yes": "2/3", "no": "1/3"}, "b": {"yes": "1/3", "no": "2/3"}})
    >>> optimality_gap(framework, timid, "log(3)", error_probability({"a": "yes", "b": "no"})).upper
    Fraction(1, 12)

    Raises `ModelError` as `optimal_mechanism`, and unless the mechanism's outputs are among those
    of the loss.
    """
    loss = check_type(loss, Loss, "loss")
    own = loss.expected(framework, mechanism, prior)
    best = optimal_mechanism(framework, level, loss, prior, per_record)
    return Gap(own, audit(framework, mechanism, level), (best.lower, best.upper))


def optimum_certificate(optimum: Optimal) -> dict[str, object]:
    """Return the certificate that no mechanism has a smaller loss: the optimum of the linear
    program over channels.

    Raises `CertificateError` where levels are irrational and so no single program has the answer.
    """
    if optimum.best is None or optimum.lower != optimum.upper:
        raise CertificateError("the optimum is only enclosed: a level log(N/M) gives a certificate")
    program = ChannelProgram(optimum.framework, optimum.loss, optimum.prior)
    return lp_certificate(optimum.best.program, optimum.best.solution, program.names)


def linear_inequalities(
    program: ChannelProgram, ratio: Fraction, per_record: Fraction | None = None, close: Collection[Arc] = ()
) -> list[Inequality]:
    """Return the Pufferfish inequalities at a ratio, then neighbours, then close pairs."""
    inequalities = [*program.pufferfish(ratio)]
    if per_record is not None:
        inequalities += program.per_record(per_record)
    return [*inequalities, *program.between(ratio, close)]
