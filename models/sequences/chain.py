"""The exact numbers of a prior along records, `Chain`, and one walk along a Markov chain, `Along`:
powers, marginals and kernels of X_1 .. X_T with k states, T up to 10^6 and k up to a few hundred.

    m_t = q P^(t-1)
    P(X_(i+b) = y | X_i = v) = P^b(v, y)
    P(X_(i-a) = x | X_i = v) = m_(i-a)(x) P^a(x, v) / m_i(v)

Sequences are never enumerated. The arithmetic is chosen by name and never mixed: "exact" rationals,
"enclosed" rigorous bounds, "float" with the proven relative error that `roundings` states
(`pufferproof.models.sequences.arithmetic`). What a transition matrix is (irreducible, periodic,
reversible) is in `pufferproof.models.priors.markov`, influences in
`pufferproof.verify.influence.chain`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.listing import AllPairs, Pair, Secret, StatedPairs, counted, is_place
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.laws import Prior, law_of_size
from pufferproof.models.priors.markov import MarkovChain, checked_transition, integer_rows, stationary_law
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Arithmetic, Bounds, Enclosed, Entry, Exact, Floating, MatrixOf, Name
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SequencePrior = MarkovChain | Product | HiddenMarkovModel
MAX_LENGTH = 1_000_000
MAX_SEQUENCE = 10_000_000
_MOST_BITS = 1 << 29  # of one matrix in exact numbers


@dataclass(frozen=True)
class Chain:
    """The numbers of a prior over sequences: a Markov chain, independent records, or a hidden
    Markov model.

    `start` is the law of the first record, `step` those of record t + 1 given each value of record
    t. Where `rows` is set the records are independent, record t having the law rows[t - 1], and
    `start` and `step` are not used. Where `emission` is set, `start` and `step` are those of hidden
    states, and emission[h] is the law of the value that state h shows.
    """

    start: tuple[Fraction, ...]
    step: tuple[tuple[Fraction, ...], ...]
    stationary: bool
    rows: tuple[tuple[Fraction, ...], ...] | None = field(default=None, repr=False)
    emission: tuple[tuple[Fraction, ...], ...] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, prior: SequencePrior, records: Records) -> "Chain":
        """Return the numbers of a prior. Raises `ModelError` unless it fits the records."""
        if isinstance(prior, Product):
            prior.factors(records)
            return cls((), (), False, prior.rows)
        if isinstance(prior, HiddenMarkovModel):
            prior.expect(records)
            return replace(cls.of_markov(prior.hidden), emission=prior.emission)
        prior.parts(records)
        return cls.of_markov(prior)

    @classmethod
    def of_markov(cls, chain: MarkovChain) -> "Chain":
        """Return the numbers of a Markov chain, whose rows are known to be laws."""
        start = chain.initial_law()
        moved = tuple(sum(p * row[x] for p, row in zip(start, chain.transition)) for x in range(len(start)))
        return cls(start, chain.transition, moved == start)

    def along(self, length: int, arithmetic: Name = "exact", bits: int = 128) -> "Along":
        """Return the walk along the records, or hidden states, of a chain of up to 10^7 of them."""
        chain = MarkovChain(self.start, self.step)
        return Along(chain, length, arithmetic, bits, MAX_SEQUENCE)


class Along:
    """The laws of X_1 .. X_T along a Markov chain, in one arithmetic.

    Args:
        chain: initial law (or "stationary") and transition matrix, k x k, rows exact and summing to
            1.
        length: T, from 1 to `longest`.
        arithmetic: "exact" (rows of `Fraction`), "enclosed" (rows of `Bounds`) or "float" (float64
            arrays).
        bits: precision of the enclosures.

    >>> chain = MarkovChain(["1", "0"], [["1/2", "1/2"], ["1/4", "3/4"]])
    >>> laws = Along(chain, 5)
    >>> laws.law(3), laws.power(2)[0], laws.backward(3, 1)[1]
    ((Fraction(3, 8), Fraction(5, 8)), (Fraction(3, 8), Fraction(5, 8)),
     (Fraction(2, 5), Fraction(3, 5)))

    Raises `ModelError` unless the rows and the initial law are laws of one size, and the length is
    in range.
    """

    def __init__(
        self, chain: MarkovChain, length: int, arithmetic: Name = "exact", bits: int = 128, longest: int = MAX_LENGTH
    ) -> None:
        if isinstance(length, bool) or not isinstance(length, int) or not 1 <= length <= longest:
            raise ModelError(f"expected from 1 to {longest} records, found {shown(length)}", "length")
        self.chain, self.length = chain, length
        self.transition = checked_transition(chain.transition)
        self.states = len(self.transition)
        chosen: dict[str, Arithmetic] = {"exact": Exact(), "enclosed": Enclosed(bits), "float": Floating()}
        if arithmetic not in chosen:
            raise ModelError(f"expected one of {', '.join(chosen)}, found {shown(arithmetic)}", "arithmetic")
        self.arithmetic = chosen[arithmetic]
        rows, self.denominator = integer_rows(self.transition)
        self._step = self.arithmetic.matrix(rows, self.denominator)
        self._powers: dict[int, object] = {1: self._step}
        self._laws: dict[int, MatrixOf] = {}
        self._patterns: dict[int, NDArray[np.bool_]] = {}
        self._possible: dict[int, list[int]] = {}

    @cached_property
    def initial(self) -> tuple[Fraction, ...]:
        """The law of X_1."""
        if isinstance(self.chain.initial, str):
            return stationary_law(self.transition)
        law_of_size(self.chain.initial, self.states, "initial")
        return self.chain.initial

    @cached_property
    def stationary(self) -> bool:
        """Whether every X_t has the same law, decided exactly."""
        if isinstance(self.chain.initial, str):
            return True
        from flint import fmpz_mat

        rows, total = integer_rows(self.transition)
        ((start,), _) = integer_rows([self.initial])
        return bool(fmpz_mat([start]) * fmpz_mat(rows) == total * fmpz_mat([start]))

    def power(self, distance: int) -> Entry:
        """Return P^d as rows, d >= 0: P(X_(i+d) = y | X_i = v) in row v, the forward kernel of
        every record i.
        """
        return self.arithmetic.entries(self.power_matrix(distance))

    def law(self, record: int) -> Entry:
        """Return m_t, the law of X_t, t = 1 .. T."""
        return self.arithmetic.entries(self.law_matrix(record))[0]

    def backward(self, record: int, distance: int) -> dict[int, tuple[Entry, ...]]:
        """Return the backward kernel: v -> P(X_(i-a) = x | X_i = v), for the v with P(X_i = v) > 0
        only.

        Raises `ModelError` unless 1 <= i - a and i <= T.
        """
        if isinstance(distance, bool) or not isinstance(distance, int) or distance < 0:
            raise ModelError(f"expected a distance of at least 0, found {shown(distance)}", "distance")
        earlier, now = self.law(self.expect_record(record) - distance), self.law(record)
        step, states, bounds = self.power(distance), range(self.states), self.arithmetic.name == "enclosed"

        def bayes(x: int, v: int) -> Entry:
            before, there = earlier[x], step[x][v]
            if not bounds:
                return before * there / now[v]
            return Bounds(before.lower * there.lower / now[v].upper, before.upper * there.upper / now[v].lower)

        return {v: tuple(bayes(x, v) for x in states) for v in self.possible(record)}

    def possible(self, record: int) -> list[int]:
        """Return the values that X_t has with positive probability, decided by zero patterns
        alone.
        """
        import numpy as np

        distance = 0 if self.stationary else self.expect_record(record) - 1
        if distance not in self._possible:
            support = [state for state, value in enumerate(self.initial) if value]
            reached = self.pattern(distance)[support].any(axis=0)
            self._possible[distance] = [int(v) for v in np.flatnonzero(reached)]
        return self._possible[distance]

    def roundings(self, distance: int) -> int:
        """Return how many roundings an entry of P^d has behind it at most in floats, d + (d -
        1) k for d >= 1.
        """
        return int(self.power_matrix(distance).roundings) if self.arithmetic.name == "float" else 0

    def pattern(self, distance: int) -> "NDArray[np.bool_]":
        """Return where P^d is positive, d >= 0."""
        import numpy as np

        if distance == 0:
            return np.eye(self.states, dtype=np.bool_)
        if distance == 1 and 1 not in self._patterns:
            self._patterns[1] = np.array([[value > 0 for value in row] for row in self.transition])
        if distance not in self._patterns:
            half = self.pattern(distance // 2).astype(np.float32)
            whole = half @ half > 0
            if distance % 2:
                whole = whole.astype(np.float32) @ self.pattern(1).astype(np.float32) > 0
            self._patterns[distance] = whole
        return self._patterns[distance]

    def forgets(self, distance: int, values: list[int]) -> bool:
        """Whether rows of P^d agree for all these values, decided exactly.

        If (e_v - e_w) P^d = 0 for some d, then for d = k: the kernels of P, P^2, .. stop growing by
        then.
        """
        from flint import fmpz_mat

        power = (fmpz_mat(integer_rows(self.transition)[0]) ** min(distance, self.states)).tolist()
        return all(power[v] == power[values[0]] for v in values)

    def power_matrix(self, distance: int) -> MatrixOf:
        """Return P^d in the representation of its arithmetic: from P^(d-1) where that is known,
        else by halves.

        Raises `ModelError` unless exact numbers are short enough, and floats do not underflow.
        """
        if distance == 0:
            return self.arithmetic.matrix([[int(x == y) for y in range(self.states)] for x in range(self.states)], 1)
        if distance not in self._powers:
            self._expect_room(distance, self.states)
            times, powers = self.arithmetic.times, self._powers
            if distance - 1 in powers:
                powers[distance] = times(powers[distance - 1], self._step)
            else:
                half = self.power_matrix(distance // 2)
                whole = times(half, half)
                powers[distance] = times(whole, self._step) if distance % 2 else whole
        return self._powers[distance]

    def law_matrix(self, record: int) -> MatrixOf:
        """Return m_t as a matrix of one row: from m_(t-1) where that is known, else by powers
        P^(2^j).
        """
        record = 1 if self.stationary else self.expect_record(record)
        if record not in self._laws:
            self._expect_room(record, 1)
            if record == 1:
                rows, total = integer_rows([self.initial])
                self._laws[1] = self.arithmetic.matrix(rows, total)
            elif record - 1 in self._laws:
                self._laws[record] = self.arithmetic.times(self._laws[record - 1], self._step)
            else:
                top = 1 << ((record - 1).bit_length() - 1)
                self._laws[record] = self.arithmetic.times(self.law_matrix(record - top), self.power_matrix(top))
        return self._laws[record]

    def _expect_room(self, steps: int, rows: int) -> None:
        bits = steps * self.denominator.bit_length()
        if self.arithmetic.name == "exact" and bits * rows * self.states > _MOST_BITS:
            raise ModelError(f'numbers of {bits} bits are too long: expected "enclosed"', "arithmetic")

    def expect_record(self, record: int) -> int:
        """Return a record. Raises `ModelError` unless it is from 1 to T."""
        if isinstance(record, bool) or not isinstance(record, int) or not 1 <= record <= self.length:
            raise ModelError(f"expected a record from 1 to {self.length}, found {shown(record)}", "record")
        return record


# Secrets about single records, and priors along a chain: what frameworks on sequences have that are too long to list.
#
# A secret is `X_i = v`; two of them can be a pair only if they speak of the same record, since secrets about different
# records have databases in common. Priors are Markov chains, independent records and, for queries with noise, hidden
# Markov models.

Place = tuple[int, int]  # a record from 1, and the position of a value in the alphabet
_FORMS = {
    "Table": "table",
    "BayesianNetwork": "Bayesian network",
    "BifNetwork": "Bayesian network",
    "ChangingChain": "chain that changes with time",
}


def chains_of(records: Records, priors: Mapping[str, Prior]) -> Mapping[str, Chain]:
    """Return the numbers of every prior, by name. Raises `ModelError`, naming the prior, unless it
    is of the three forms and fits the records.
    """
    if records.count > MAX_SEQUENCE:
        raise ModelError(f"expected at most {MAX_SEQUENCE} records, found {shown(records.count)}", "records.count")
    chains = {}
    for name, prior in priors.items():
        try:
            chains[name] = Chain.of(_sequence_prior(prior, records), records)
        except ModelError as error:
            raise error.within(f"priors.{name}") from None
    return MappingProxyType(chains)


def _sequence_prior(prior: Prior, records: Records) -> SequencePrior:
    if isinstance(prior, SequencePrior):
        return prior
    form = _FORMS.get(type(prior).__name__, "prior like this")
    size = f"{len(records.alphabet)}^{shown(records.count)}"
    if form == "Bayesian network":
        raise ModelError(
            "a Bayesian network works with noisy queries, and with a local mechanism in audit; "
            f"else with at most 1000000 databases times outputs, found {size} databases and more: "
            'expected a "markov" or "product" prior, or fewer records'
        )
    raise ModelError(
        f'a {form} lists databases, {size} of them: expected a "markov" or "product" prior, or fewer records'
    )


def expect_chains(records: Records, secrets: Mapping[str, Secret], priors: Mapping[str, Prior], closure: str) -> None:
    """Raise `ModelError`, naming it, for a secret that is no value of a record, for a prior that
    has no chain, and for mixtures of priors.
    """
    if closure != "list":
        raise ModelError(
            'mixtures of priors need databases and outputs that can be listed: expected "list", or fewer records',
            "closure",
        )
    places_of(records, secrets)
    for name, prior in priors.items():
        try:
            _sequence_prior(prior, records)
        except ModelError as error:
            raise error.within(f"priors.{name}") from None


def expect_markov(chains: Mapping[str, Chain]) -> None:
    """Raise `ModelError` unless every chain is a Markov chain or has independent records."""
    for name, chain in chains.items():
        if chain.emission is not None:
            raise ModelError(
                "a hidden Markov model is a prior for queries with noise, and else for few "
                "records: "
                'expected a "markov" or "product" prior, or fewer records',
                f"priors.{name}",
            )


def places_of(records: Records, secrets: Mapping[str, Secret]) -> Mapping[str, Place]:
    """Return the record and the position of the value of every secret. Raises `ModelError` unless
    it is the value of one record.
    """
    places = {}
    for name, secret in secrets.items():
        if not is_place(secret):
            raise ModelError(
                "a list of databases, which are too many with the outputs of a mechanism: expected "
                '{"record": i, "value": v}',
                f"secrets.{name}",
            )
        record, value = secret
        try:
            places[name] = records.place(int(record), str(value))
        except ModelError as error:
            raise error.within(f"secrets.{name}") from None
    return MappingProxyType(places)


def pairs_of(records: Records, places: Mapping[str, Place], pairs: StatedPairs) -> Sequence[Pair]:
    """Return the pairs of secrets about different values of one record: all, or those stated.

    Raises `ModelError` unless there is one, and secrets are known and disjoint.
    """
    if not pairs and not isinstance(pairs, str):
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    if isinstance(pairs, str) or (isinstance(pairs, AllPairs) and pairs.secrets == tuple(places)):
        return _all_pairs(places)
    unordered: dict[Pair, None] = {}
    for index, pair in enumerate(pairs):
        left, right = _disjoint_pair(records, places, pair, f"pairs[{index}]")
        if (right, left) not in unordered:
            unordered[left, right] = None
    return tuple(unordered)


def _all_pairs(places: Mapping[str, Place]) -> Sequence[Pair]:
    if len({record for record, _ in places.values()}) == 1 < len(places) == len(set(places.values())):
        return AllPairs(tuple(places))
    order = {name: index for index, name in enumerate(places)}
    by_record: dict[int, list[str]] = {}
    for name, (record, _) in places.items():
        by_record.setdefault(record, []).append(name)
    disjoint = [
        (left, right)
        for names in by_record.values()
        for left, right in combinations(names, 2)
        if places[left] != places[right]
    ]
    if not disjoint:
        raise ModelError("expected two secrets with no database in common, found none", "pairs")
    return tuple(sorted(disjoint, key=lambda pair: (order[pair[0]], order[pair[1]])))


def _disjoint_pair(records: Records, places: Mapping[str, Place], pair: Sequence[str], where: str) -> Pair:
    if isinstance(pair, str) or len(pair) != 2:
        found = f'"{pair}" alone' if isinstance(pair, str) else str(len(pair))
        raise ModelError(f"expected two secrets, found {found}", where)
    for name in pair:
        if name not in places:
            raise ModelError(f'unknown secret "{name}", expected one of {preview(tuple(places))}', where)
    if pair[0] == pair[1]:
        raise ModelError(f'expected two different secrets, found "{pair[0]}" twice', where)
    (left, value), (right, other) = places[pair[0]], places[pair[1]]
    if left == right and value != other:
        return pair[0], pair[1]
    secrets = f'secrets "{pair[0]}" and "{pair[1]}"'
    if not records.enumerable:
        raise ModelError(f"{secrets} have databases in common, expected two values of one record", where)
    free = records.count - (1 if left == right else 2)
    common = counted(len(records.alphabet) ** free, "database")
    raise ModelError(f"{secrets} overlap in {common}, expected none", where)
