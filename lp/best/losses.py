"""Losses: what an analyst loses when a mechanism says w while the database is x, and the exact
expected loss of a mechanism.

A loss is a table of rationals, loss(x, w); smaller is better, and a utility is a negative loss. Its
expectation under a prior is sum_x theta(x) sum_w P(w | x) loss(x, w); the worst case is the largest
over the priors. Standard tables compare the output with the value of a query: error probability,
absolute and squared error.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.priors.records import preview


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
