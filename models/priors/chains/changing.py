"""Markov chains that change with time: a transition matrix of its own for every step.

    P(x_1 .. x_n) = initial[x_1] * transitions[1][x_1][x_2] * ... * transitions[n - 1][x_(n-1)][x_n]

Every record has one parent, the one before it: what is known of Bayesian networks holds for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.laws import Law, expect_records, law_of_record, matrix_of, numbers_of
from pufferproof.models.priors.records import Records

Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class ChangingChain:
    """A Markov chain over n records with n - 1 transition matrices.

    Args: initial: law of X_1. transitions: P_2 .. P_n, the rows of P_t being the laws of X_t given
    each value of X_(t-1). normalize: divide every row by its sum, exactly.

    >>> day, night = [["1/2", "1/2"], ["1/4", "3/4"]], [["1", "0"], ["0", "1"]]
    >>> chain = ChangingChain(["1/2", "1/2"], [day, night])
    >>> chain.law(("000", "001", "010", "011", "100", "101", "110", "111"), Records(3, ("0", "1")))
    Law(weights=(2, 0, 0, 2, 1, 0, 0, 3), total=8)

    Raises `ModelError` where a number is none; `network` and `law` where rows do not fit records.
    """

    initial: Row
    transitions: tuple[tuple[Row, ...], ...]
    normalized: bool = field(default=False, compare=False)

    def __init__(
        self, initial: Sequence[Any], transitions: Sequence[Sequence[Sequence[Any]]], normalize: bool = False
    ) -> None:
        initial = check_type(initial, Sequence[Any], "initial")
        transitions = check_type(transitions, Sequence[Sequence[Sequence[Any]]], "transitions")
        steps = (matrix_of(transition, f"transitions[{k}]", normalize) for k, transition in enumerate(transitions))
        hold(self, initial=numbers_of(initial, "initial", normalize), transitions=tuple(steps), normalized=normalize)

    def network(self, records: Records) -> BayesianNetwork:
        """Return the chain as a Bayesian network. Raises `ModelError` unless there is a matrix for
        every record but the first, and every row is a law on the alphabet.
        """
        size, count = len(records.alphabet), records.count
        if len(self.transitions) != count - 1:
            raise ModelError(
                f"expected {count - 1} matrices, one for every record but the first, found {len(self.transitions)}",
                "transitions",
            )
        law_of_record(self.initial, records, "initial")
        for place, rows in enumerate(self.transitions):
            where = f"transitions[{place}]"
            if len(rows) != size:
                raise ModelError(f"expected {size} rows, one per value, found {len(rows)}", where)
            for index, row in enumerate(rows):
                law_of_record(row, records, f"{where}[{index}]")
        parents = {t: [t - 1] if t > 1 else [] for t in range(1, count + 1)}
        steps = enumerate(self.transitions, 2)
        tables = {t: dict(zip(records.alphabet, rows)) for t, rows in steps}
        return BayesianNetwork(parents, {1: {"": self.initial}, **tables})

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law on all databases. Raises `ModelError` unless it fits the records."""
        space = expect_records(records, "markov")
        return self.network(space).law(databases, space)

    def __repr__(self) -> str:
        steps = [[list(map(text_of, row)) for row in rows] for rows in self.transitions]
        return f"ChangingChain({list(map(text_of, self.initial))}, {steps})"
