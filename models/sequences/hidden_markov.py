"""Hidden Markov models: a Markov chain of hidden states, each observed through one channel,
exactly.

    P(y_1 .. y_n) = sum over h_1 .. h_n of
        initial[h_1] emission[h_1][y_1] prod_t transition[h_(t-1)][h_t] emission[h_t][y_t]

As a prior the observed symbols are the records, and hidden states are summed out. The other way
round, where the hidden states are what is private, a hidden Markov model is a local mechanism on
its chain with the same channel at every record: `mechanism`. That is the setting of Liu, Wang and
Zhang, "Verifying Pufferfish privacy in hidden Markov models" (2020). Words are never enumerated to
find a likelihood.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.laws import Law, numbers_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.structure import integer_rows
from pufferproof.models.sequences.local import LocalMechanism


@dataclass(frozen=True)
class HiddenMarkovModel:
    """A hidden Markov model with k hidden states and m symbols.

    Args:
        initial: law of the first hidden state, or "stationary".
        transition: k x k, rows are laws.
        emission: k x m, row h the law of the symbol that state h shows.
        normalize: divide every row by its sum, exactly.

    >>> model = HiddenMarkovModel("stationary", [["1/2", "1/2"], ["1/2", "1/2"]], [["1", "0"], ["1/4", "3/4"]])
    >>> model.likelihood([1, 1])
    Fraction(9, 64)

    Raises `ModelError` unless shapes fit and every row is a law.
    """

    hidden: MarkovChain
    emission: tuple[tuple[Fraction, ...], ...]
    normalized: bool = field(default=False, compare=False, repr=False)

    def __init__(
        self,
        initial: Sequence[object] | str,
        transition: Sequence[Sequence[object]],
        emission: Sequence[Sequence[object]],
        normalize: bool = False,
    ) -> None:
        emission = check_type(emission, Sequence[Sequence[object]], "emission")
        hidden = MarkovChain(initial, transition, normalize)
        size = len(hidden.transition)
        if not size:
            raise ModelError("expected at least one hidden state, found none", "transition")
        hidden.parts(Records(1, _names(size)))
        rows = tuple(_law_row(row, f"emission[{index}]", normalize) for index, row in enumerate(emission))
        if len(rows) != size:
            raise ModelError(f"expected {size} rows, one per hidden state, found {len(rows)}", "emission")
        if len({len(row) for row in rows}) != 1:
            raise ModelError(f"expected rows of one length, found {sorted({len(row) for row in rows})}", "emission")
        hold(self, hidden=hidden, emission=rows, normalized=normalize)

    def __repr__(self) -> str:
        chain = repr(self.hidden).removeprefix("MarkovChain(").removesuffix(")")
        return f"HiddenMarkovModel({chain}, {[[text_of(value) for value in row] for row in self.emission]})"

    @property
    def symbols(self) -> int:
        """The number of symbols."""
        return len(self.emission[0])

    def likelihood(self, word: Sequence[int]) -> Fraction:
        """Return the probability of a word of symbols, given by their positions from 0, by the
        forward recursion.
        """
        weights: list[Fraction] | None = None
        for symbol in word:
            if not 0 <= symbol < self.symbols:
                raise ModelError(f"expected a symbol from 0 to {self.symbols - 1}, found {shown(symbol)}", "word")
            moved = self._moved(weights)
            weights = [weight * row[symbol] for weight, row in zip(moved, self.emission)]
        return sum(weights, Fraction(0)) if weights is not None else Fraction(1)

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law of the observed sequence. Raises `ModelError` unless there is a symbol
        for every value.
        """
        if records is None:
            raise ModelError('a hidden Markov prior needs databases made of records ("records" instead of "databases")')
        self.expect(records)
        start, moves, shows, total = self._integers(records.count)
        size, weights = len(start), [start]
        for record in range(records.count):
            if record:
                weights = [
                    [sum(w * moves[g][h] for g, w in enumerate(weight)) for h in range(size)] for weight in weights
                ]
            weights = [
                [w * shows[h][symbol] for h, w in enumerate(weight)]
                for weight in weights
                for symbol in range(self.symbols)
            ]
        return Law(tuple(sum(weight) for weight in weights), total)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there is a symbol for every value of the alphabet."""
        if len(records.alphabet) != self.symbols:
            raise ModelError(
                f"expected {len(records.alphabet)} symbols, one per value, found {self.symbols}", "emission"
            )

    def mechanism(self, length: int, symbols: Sequence[str]) -> tuple[Records, LocalMechanism]:
        """Return the space of hidden sequences, values "h1" to "hk", and the emission as a
        mechanism on it.
        """
        if len(symbols) != self.symbols:
            raise ModelError(f"expected {self.symbols} symbols, found {len(symbols)}", "outputs")
        alphabet = _names(len(self.emission))
        return Records(length, alphabet), LocalMechanism.of(alphabet, symbols, [self.emission] * length)

    def _moved(self, weights: Sequence[Fraction] | None) -> Sequence[Fraction]:
        if weights is None:
            return self.hidden.initial_law()
        rows = self.hidden.transition
        return [sum((w * row[h] for w, row in zip(weights, rows)), Fraction(0)) for h in range(len(rows))]

    def _integers(self, count: int) -> "_Integers":
        (start,), a = integer_rows([self.hidden.initial_law()])
        moves, b = integer_rows(self.hidden.transition)
        shows, c = integer_rows(self.emission)
        return _Integers(start, moves, shows, a * b ** (count - 1) * c**count)


class _Integers(NamedTuple):
    """Initial law, transition and emission as integers, and what all their products are over."""

    start: list[int]
    moves: list[list[int]]
    shows: list[list[int]]
    total: int


def _names(size: int) -> tuple[str, ...]:
    return tuple(f"h{index}" for index in range(1, size + 1))


def _law_row(row: object, where: str, normalize: bool) -> tuple[Fraction, ...]:
    if isinstance(row, str) or not hasattr(row, "__iter__"):
        raise ModelError(f"expected a list of probabilities, found {shown(row)}", where)
    values = numbers_of(row, where, normalize)
    try:
        Law.of(values, divisible=True)
    except ModelError as error:
        raise error.within(where) from None
    return values
