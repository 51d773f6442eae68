"""Hidden Markov models as mechanisms: the database decides in which state a model starts, and
what is released is the word of symbols that it shows.

    P(y_1 .. y_k | x) = sum over h_1 .. h_k of
        initial[x][h_1] emission[h_1][y_1] prod_t transition[h_(t-1)][h_t] emission[h_t][y_t]

with exact rationals. A state shows its symbol before it moves on. A mechanism that stops early goes
to a state that stays where it is and shows one symbol. Setting: Liu, Wang and Zhang, "Verifying
Pufferfish privacy in hidden Markov models" (2022). Here the database is private; models whose
hidden states are private are local mechanisms. What such a mechanism leaks is in
`pufferproof.verify.sequences.words`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd
from typing import ClassVar

from pufferproof.models.channel import Channel, joined
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.laws import Law, law_at, numbers_of
from pufferproof.models.priors.markov import MarkovChain, integer_rows
from pufferproof.models.priors.records import Records, preview, separator
from pufferproof.models.sequences.local import LocalMechanism

# Hidden Markov models: a Markov chain of hidden states, each observed through one channel, exactly.
#
#     P(y_1 .. y_n) = sum over h_1 .. h_n of
#         initial[h_1] emission[h_1][y_1] prod_t transition[h_(t-1)][h_t] emission[h_t][y_t]
#
# As a prior the observed symbols are the records, and hidden states are summed out. The other way round, where the
# hidden states are what is private, a hidden Markov model is a local mechanism on its chain with the same channel at
# every record: `mechanism`. That is the setting of Liu, Wang and Zhang, "Verifying Pufferfish privacy in hidden Markov
# models" (2020). Words are never enumerated to find a likelihood.


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
        hidden.parts(Records(1, tuple(f"h{index}" for index in range(1, size + 1))))
        rows = []
        for index, row in enumerate(emission):
            if isinstance(row, str) or not hasattr(row, "__iter__"):
                raise ModelError(f"expected a list of probabilities, found {shown(row)}", f"emission[{index}]")
            rows.append(numbers_of(row, f"emission[{index}]", normalize))
            law_at(rows[-1], f"emission[{index}]")
        if len(rows) != size:
            raise ModelError(f"expected {size} rows, one per hidden state, found {len(rows)}", "emission")
        if len({len(row) for row in rows}) != 1:
            raise ModelError(f"expected rows of one length, found {sorted({len(row) for row in rows})}", "emission")
        hold(self, hidden=hidden, emission=tuple(rows), normalized=normalize)

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
            moved: Sequence[Fraction]
            if weights is None:
                moved = self.hidden.initial_law()
            else:
                columns = zip(*self.hidden.transition)
                moved = [sum((w * p for w, p in zip(weights, column)), Fraction(0)) for column in columns]
            weights = [weight * row[symbol] for weight, row in zip(moved, self.emission)]
        return sum(weights, Fraction(0)) if weights is not None else Fraction(1)

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law of the observed sequence. Raises `ModelError` unless there is a symbol
        for every value.
        """
        if records is None:
            raise ModelError('a hidden Markov prior needs databases made of records ("records" instead of "databases")')
        self.expect(records)
        (start,), a = integer_rows([self.hidden.initial_law()])
        moves, b = integer_rows(self.hidden.transition)
        shows, c = integer_rows(self.emission)
        total = a * b ** (records.count - 1) * c**records.count
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
        alphabet = tuple(f"h{index}" for index in range(1, len(self.emission) + 1))
        return Records(length, alphabet), LocalMechanism.of(alphabet, symbols, [self.emission] * length)


MAX_WRITTEN = 50_000  # databases times words of a mechanism that is written out
MAX_LENGTH = 2_000
_MAX_LETTERS = 500_000  # of all words that are written out
_MAX_STATES = 2_000  # of a joint release
Rows = tuple[tuple[Fraction, ...], ...]
Given = Mapping[str, object] | Sequence[object]  # rows by name, or in order
Word = tuple[int, ...]  # symbols by their positions


@dataclass(frozen=True, eq=False)
class HiddenMarkovMechanism:
    """A mechanism that releases the first `length` symbols of a hidden Markov model, whose first
    state depends on the database.

        P(y_1 .. y_k | x) = sum over h_1 .. h_k of
            initial[x][h_1] emission[h_1][y_1] prod_t transition[h_(t-1)][h_t] emission[h_t][y_t]

    Args:
        initial: |databases| x |states|, the law of the first state for every database.
        transition: |states| x |states|, the law of the next state; a state without a row stays.
        emission: |states| x |symbols|, the law of the symbol that a state shows.
        symbols: the symbols that may be shown.
        length: k, the number of symbols that are released, from 0 to 2,000.
        states: names of the states; by default the keys of `emission`, or "h1", "h2", ...
        normalize: divide every row by its sum, exactly.

    Give each matrix as a list of rows in order, or as an object of rows by name; the same holds for
    each row, and an object may leave out zeros. Entries are exact, and every row sums to 1.

    Source: Liu, Wang and Zhang, "Verifying Pufferfish privacy in hidden Markov models" (2022).

    >>> twice = HiddenMarkovMechanism(
    ...     {"a": {"h": 1}, "b": {"t": 1}},
    ...     {},
    ...     {"h": {"0": "3/4", "1": "1/4"}, "t": {"0": "1/4", "1": "3/4"}},
    ...     symbols=["0", "1"],
    ...     length=2,
    ... )
    >>> twice, twice.probability("a", [0, 1])
    (HiddenMarkovMechanism(2 databases, 2 states, 2 symbols, words of length 2), Fraction(3, 16))

    Raises `ModelError` unless names are distinct and known, every row is a law, and `length` is
    in its range.
    """

    taken_by: ClassVar = {"Channel": "its channel() lists it"}

    databases: tuple[str, ...]
    states: tuple[str, ...]
    symbols: tuple[str, ...]
    length: int
    start: Rows = field(repr=False)
    moves: Rows = field(repr=False)
    shows: Rows = field(repr=False)
    alphabets: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    normalized: bool = False

    def __init__(
        self,
        initial: Mapping[str, object],
        transition: Mapping[str, object] | Sequence[object],
        emission: Mapping[str, object] | Sequence[object],
        symbols: Sequence[str],
        length: int,
        states: Sequence[str] | None = None,
        normalize: bool = False,
    ) -> None:
        initial = check_type(initial, Mapping[str, object], "initial")
        transition = check_type(transition, Mapping[str, object] | Sequence[object], "transition")
        emission = check_type(emission, Mapping[str, object] | Sequence[object], "emission")
        normalize = check_type(normalize, bool, "normalize")
        length = expect_length(length)
        names = named_states(states, emission)
        shown_names = distinct_names(symbols, "symbol")
        if separator(shown_names) and any("," in symbol for symbol in shown_names):
            raise ModelError('a symbol may not contain "," where some are longer', "outputs")
        databases = distinct_names(tuple(initial), "database")
        start = rows_of(initial, databases, names, "initial", None)
        moves = rows_of(transition, names, names, "transition", "stay")
        shows = rows_of(emission, names, shown_names, "emission", None)
        hold(
            self,
            databases=databases,
            states=names,
            symbols=shown_names,
            length=length,
            start=_laws(start, "initial", databases, normalize),
            moves=_laws(moves, "transition", names, normalize),
            shows=_laws(shows, "emission", names, normalize),
            alphabets=(shown_names,),
            normalized=normalize,
        )

    def __repr__(self) -> str:
        return (
            f"HiddenMarkovMechanism({len(self.databases)} databases, {len(self.states)} states, "
            f"{len(self.symbols)} symbols, words of length {self.length})"
        )

    def of_length(self, length: int) -> "HiddenMarkovMechanism":
        """Return the same model with words of another length, at least 0."""
        return self._with(length=expect_length(length))

    def probability(self, database: str, word: Sequence[int]) -> Fraction:
        """Return the probability of a word, given by the positions of its symbols from 0.

        A word that is shorter than `length` stands for all that begin with it. Raises `ModelError`
        unless database and symbols are known.
        """
        database = check_type(database, str, "database")
        word = check_type(word, Sequence[int], "word")
        if database not in self.databases:
            databases = preview(self.databases)
            raise ModelError(f'unknown database "{database}", expected one of {databases}', "database")
        weights = self.start[self.databases.index(database)]
        for symbol in word:
            if not 0 <= symbol < len(self.symbols):
                raise ModelError(f"expected a symbol from 0 to {len(self.symbols) - 1}, found {shown(symbol)}", "word")
            after = [Fraction(0)] * len(self.states)
            for weight, row, show in zip(weights, self.moves, self.shows):
                if weight and show[symbol]:
                    for state, move in enumerate(row):
                        after[state] += weight * show[symbol] * move
            weights = tuple(after)
        return sum(weights, Fraction(0))

    def integer_steps(self) -> "HiddenSteps":
        """Return the matrices of all symbols in integers, over one denominator."""
        moves, below = integer_rows(self.moves)
        shows, other = integer_rows(self.shows)
        nonzero = [[(state, n) for state, n in enumerate(row) if n] for row in moves]
        matrices = tuple(
            tuple(
                [(state, row[symbol] * n) for state, n in move] if row[symbol] else []
                for move, row in zip(nonzero, shows)
            )
            for symbol in range(len(self.symbols))
        )
        return HiddenSteps(matrices, below * other)

    def label(self, word: Sequence[int]) -> str:
        """Return the output label of a word."""
        return joined([self.parts(word)])[0]

    def parts(self, word: Sequence[int]) -> tuple[str, ...]:
        """Return the word that every release showed, given a word of a joint one."""
        labels = []
        for alphabet in reversed(self.alphabets):
            pairs = [divmod(symbol, len(alphabet)) for symbol in word]
            word = [rest for rest, _ in pairs]
            labels.append(separator(alphabet).join(alphabet[own] for _, own in pairs))
        return tuple(reversed(labels))

    @cached_property
    def writable(self) -> bool:
        """Whether there are few enough words of positive probability to list them."""
        steps = self.integer_steps()
        level = {tuple(any(row[state] for row in self.start) for state in range(len(self.states))): 1}
        for _ in range(self.length):  # the states that a word may lead to -> how many words do
            after: dict[tuple[bool, ...], int] = {}
            for states, count in level.items():
                for symbol in range(len(self.symbols)):
                    reached = tuple(map(bool, steps.after(states, symbol)))
                    if any(reached):
                        after[reached] = after.get(reached, 0) + count
            level = after
            if sum(level.values()) * len(self.databases) > MAX_WRITTEN:
                return False
        return sum(level.values()) * self.length <= _MAX_LETTERS

    def channel(self) -> Channel:
        """Return the mechanism with all its words of positive probability listed. Raises
        `TooLargeError` unless `writable`.
        """
        if not self.writable:
            raise TooLargeError(
                f"words of {self.length} letters: more than {MAX_WRITTEN} databases times words, "
                f"or {_MAX_LETTERS} letters, are too many to list",
                "length",
            )
        # every word that a database can show, in order, with relative probabilities
        steps = self.integer_steps()
        pending: list[tuple[Word, list[list[int]]]] = [((), [integer_rows([row])[0][0] for row in self.start])]
        words, columns = [], []
        while pending:
            word, vectors = pending.pop()
            if len(word) == self.length:
                words.append(word)
                columns.append(tuple(map(sum, vectors)))
                continue
            for symbol in reversed(range(len(self.symbols))):
                after = [steps.after(vector, symbol) for vector in vectors]
                if any(map(any, after)):
                    pending.append(((*word, symbol), after))
        rows, denominators = [], []
        for row in zip(*columns):
            total = sum(row)
            divisor = gcd(total, *row)
            rows.append([number // divisor for number in row])
            denominators.append(total // divisor)
        return Channel.of_integers(
            self.databases, joined([self.parts(word) for word in words]), rows, denominators, normalized=self.normalized
        )

    def beside(self, *others: "HiddenMarkovMechanism") -> "HiddenMarkovMechanism":
        """Return the joint release of this mechanism and independent others on the same database:
        a model whose states are tuples of theirs, and whose symbols are shown together.

        Raises `ModelError` unless databases and lengths agree, `TooLargeError` where there are too
        many states.
        """
        joint = self
        for other in others:
            if set(joint.databases) != set(other.databases):
                raise ModelError("expected mechanisms on the same databases")
            if joint.length != other.length:
                raise ModelError(f"expected words of one length, found {joint.length} and {other.length}", "length")
            states = len(joint.states) * len(other.states)
            if states > _MAX_STATES:
                raise TooLargeError(
                    f"a joint release with {states} states: expected at most {_MAX_STATES}", "mechanisms"
                )
            aligned = [other.start[other.databases.index(database)] for database in joint.databases]
            joint = joint._with(
                states=joined(list(product(joint.states, other.states))),
                symbols=joined(list(product(joint.symbols, other.symbols))),
                start=tuple(_outer(*rows) for rows in zip(joint.start, aligned)),
                moves=tuple(_outer(*rows) for rows in product(joint.moves, other.moves)),
                shows=tuple(_outer(*rows) for rows in product(joint.shows, other.shows)),
                alphabets=(*joint.alphabets, *other.alphabets),
                normalized=joint.normalized or other.normalized,
            )
        return joint

    def _with(self, **changes: object) -> "HiddenMarkovMechanism":
        other = object.__new__(HiddenMarkovMechanism)
        names = self.__dataclass_fields__
        hold(other, **({name: getattr(self, name) for name in names} | changes))
        return other


@dataclass(frozen=True)
class HiddenSteps:
    """For every symbol y the integers emission[h][y] transition[h][g] times `below`, by h and g:
    those that are positive.
    """

    matrices: tuple[tuple[Sequence[tuple[int, int]], ...], ...]
    below: int

    def after(self, vector: Sequence[int], symbol: int) -> list[int]:
        """Return the weights of the next states once a symbol was shown."""
        after = [0] * len(vector)
        for weight, row in zip(vector, self.matrices[symbol]):
            if weight:
                for state, number in row:
                    after[state] += weight * number
        return after


def expect_length(length: int) -> int:
    """Return the length of words. Raises `ModelError` unless words can have it."""
    length = check_type(length, int, "length")
    if not 0 <= length <= MAX_LENGTH:
        raise ModelError(f"expected 0 to {MAX_LENGTH}, found {shown(length)}", "length")
    return length


def named_states(states: Sequence[str] | None, emission: Given) -> tuple[str, ...]:
    """Return the names of the states. Raises `ModelError` unless there are some, all different."""
    if states is None and isinstance(emission, Mapping):
        states = tuple(emission)
    if states is None:
        states = tuple(f"h{index}" for index in range(1, len(emission) + 1))
    return distinct_names(states, "state")


def rows_of(
    rows: Given, names: Sequence[str], columns: Sequence[str], where: str, missing: str | None
) -> list[list[object]]:
    """Return a matrix as it was given, its rows and what is in them in order; `missing` "stay"
    makes a row that was left out one that stays.

    Raises `ModelError` unless every name is known, and there are as many entries as names.
    """
    given = _in_order(rows, names, where) if not isinstance(rows, Mapping) else rows
    _expect_known(given, names, where)
    matrix = []
    for index, name in enumerate(names):
        place = f"{where}.{name}"
        if name in given:
            row = given[name]
            entries = row if isinstance(row, Mapping) else _in_order(row, columns, place)
            _expect_known(entries, columns, place)
            matrix.append([entries.get(column, 0) for column in columns])
        elif missing == "stay":
            matrix.append([int(column == index) for column in range(len(columns))])
        else:
            raise ModelError("expected a row, found none", place)
    return matrix


def _in_order(entries: object, names: Sequence[str], where: str) -> dict[str, object]:
    if isinstance(entries, str) or not hasattr(entries, "__iter__"):
        raise ModelError(f"expected a list or an object, found {shown(entries)}", where)
    listed = list(entries)
    if len(listed) != len(names):
        raise ModelError(f"expected {len(names)} entries, found {len(listed)}", where)
    return dict(zip(names, listed))


def _expect_known(given: Mapping[str, object], names: Sequence[str], where: str) -> None:
    labels = set(names)
    for name in given:
        if name not in labels:
            raise ModelError(f'unknown name "{name}", expected one of {preview(names)}', where)


def distinct_names(names: Sequence[str], kind: str) -> tuple[str, ...]:
    """Return names. Raises `ModelError` unless there are some, all different."""
    names = check_type(names, Sequence[str], f"{kind}s")
    if not names:
        raise ModelError(f"expected at least one {kind}, found none", f"{kind}s")
    if len(set(names)) < len(names):
        raise ModelError(f"a {kind} occurs twice: {list(names)}", f"{kind}s")
    return tuple(names)


def _laws(rows: list[list[object]], where: str, names: Sequence[str], normalize: bool) -> Rows:
    laws = []
    for name, row in zip(names, rows):
        place = f"{where}.{name}"
        laws.append(numbers_of(row, place, normalize))
        law_at(laws[-1], place)
    return tuple(laws)


def _outer(one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(left * right for left in one for right in other)
