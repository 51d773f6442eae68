"""How soon repeated releases reveal a secret: the exact law of the number of runs, each with fresh
randomness.

An observer knows the framework and the mechanism, and keeps the set of databases of positive
probability that allow every output so far. A secret of a pair is revealed when that set lies within
one secret of the pair, the database when one database is left. Given the true database the sets
form a finite Markov chain that only shrinks, so that the probability of having revealed at or
before run k, and the expected run, are exact rationals. Source: bai2026 (section 4, which asks this
of three mechanisms). Not here: what is likely but not certain, which `leakage.py` measures.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.views import possible_values

MAX_RUNS = 1_000
MAX_ROWS = 20_000
MAX_MOVES = 2_000_000  # moves between consistent sets, over all databases followed
Moves = dict[int, dict[int, int]]  # from a consistent set to the next ones, with integer weights


@dataclass(frozen=True, repr=False)
class Revealing(Readable):
    """The law of the first run after which something is revealed.

    `curve[k]` is the probability that it is revealed at or before run k, for k = 0, 1, ..; `never`
    that it never is; `expected` the expected number of runs up to and including the one that
    reveals, None if infinite.
    """

    curve: tuple[Fraction, ...]
    expected: Fraction | None
    never: Fraction

    def __str__(self) -> str:
        expected = "infinitely many" if self.expected is None else between(self.expected, self.expected)
        runs = len(self.curve) - 1
        by = f"by run {runs} with probability {between(self.curve[-1], self.curve[-1])}"
        return (
            f"revealed after {expected} runs on average, {by}, never with probability {between(self.never, self.never)}"
        )


@dataclass(frozen=True, repr=False)
class RevealingRow(Readable):
    """What is revealed to an observer when the database is drawn from a prior given one secret of a
    pair.

    `goal` is "secret", which of the pair holds, or "database".
    """

    prior: str
    pair: Pair
    given: str
    goal: str
    law: Revealing

    def as_json(self) -> JsonObject:
        """Return an entry of the `reveal` object of the file formats."""
        return {
            "prior": self.prior,
            "pair": list(self.pair),
            "given": self.given,
            "goal": self.goal,
            "expected": "inf" if self.law.expected is None else text_of(self.law.expected),
            "never": text_of(self.law.never),
            "curve": [text_of(value) for value in self.law.curve],
        }

    def __str__(self) -> str:
        above, below = self.pair
        what = f"which of {above!r} and {below!r} holds" if self.goal == "secret" else "the database"
        return f"{what}, given {self.given!r}, prior {self.prior!r}: {self.law}"


class Observer:
    """Follows the sets of databases that are consistent with what a mechanism has shown.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     "abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(dict.fromkeys("abc", "1/3"))}
    ... )
    >>> shows = Channel.of({"a": {"ab": "1/2", "ac": "1/2"}, "b": {"ab": 1}, "c": {"ac": 1}})
    >>> observer = Observer(framework, shows)
    >>> [str(value) for value in observer.secret("a", ("s", "t"), runs=3).curve]
    ['0', '0', '1/2', '3/4']
    >>> str(observer.database("a", runs=3).expected), observer.database("b", runs=3).expected
    ('3', None)

    Raises `ModelError` unless the mechanism has a row for every database of positive probability.
    """

    def __init__(self, framework: Framework, mechanism: Channel) -> None:
        framework = check_type(framework, Framework, "framework")
        mechanism = check_type(mechanism, Channel, "mechanism")
        self.framework = framework
        self.channel = mechanism.aligned(framework.databases, framework.support)
        self._moves = 0
        self._chains: dict[tuple[int, int], Moves] = {}
        self._laws: dict[tuple[int, int, tuple[int, ...], int], Revealing] = {}

    def possible(self, prior: str | None = None) -> int:
        """Return the databases possible under a prior, or some prior, as a bit set."""
        prior = check_type(prior, str | None, "prior")
        if prior is None:
            return _bits(self.framework.support)
        if prior not in self.framework.laws:
            raise ModelError(f'unknown prior "{prior}"')
        return _bits(self.framework.laws[prior].support)

    @cached_property
    def supports(self) -> tuple[int, ...]:
        """For every output the databases that allow it, as a bit set."""
        return tuple(_bits(column.nonzero()[0].tolist()) for column in self.channel.positive.T)

    def database(self, label: str, prior: str | None = None, runs: int = 10) -> Revealing:
        """Return how soon the database itself is revealed when it is `label`, to who has the prior
        (or knows Theta only).

        Raises `ModelError` unless it has positive probability and there are not too many sets to
        follow.
        """
        label = check_type(label, str, "label")
        prior = check_type(prior, str | None, "prior")
        x, start = self._known(label, prior)
        return self._law(x, start, (1 << x,), runs)

    def secret(self, label: str, pair: Pair, prior: str | None = None, runs: int = 10) -> Revealing:
        """Return how soon it is revealed which secret of the pair holds when the database is
        `label`; never if neither does.

        Raises `ModelError` as `database`, and unless both secrets are known.
        """
        label = check_type(label, str, "label")
        pair = check_type(pair, Pair, "pair")
        prior = check_type(prior, str | None, "prior")
        x, start = self._known(label, prior)
        return self._law(x, start, self._either(pair), runs)

    def given(self, prior: str, secret: str, pair: Pair | None = None, runs: int = 10) -> Revealing:
        """Return how soon the database, or the secret of a pair, is revealed when the database is
        drawn given a secret.

        The observer has the prior from which it is drawn. Raises `ModelError` as above, and unless
        the secret has positive probability under the prior.
        """
        prior = check_type(prior, str, "prior")
        secret = check_type(secret, str, "secret")
        pair = check_type(pair, Pair | None, "pair")
        start = self.possible(prior)
        if secret not in self.framework.secrets:
            raise ModelError(f'unknown secret "{secret}"')
        weights, mass = self.framework.laws[prior].weights, self.framework.mass(prior, secret)
        if mass == 0:
            raise ModelError(f'the secret "{secret}" has probability 0 under the prior "{prior}"')
        goal = None if pair is None else self._either(pair)
        drawn = [x for x in self.framework.secrets[secret] if weights[x]]
        laws = [self._law(x, start, goal or (1 << x,), runs) for x in drawn]
        shares = [Fraction(weights[x], mass) for x in drawn]
        curve = tuple(_mean(shares, values) for values in zip(*(law.curve for law in laws)))
        finite = [law.expected for law in laws if law.expected is not None]
        expected = _mean(shares, finite) if len(finite) == len(laws) else None
        return Revealing(curve, expected, _mean(shares, [law.never for law in laws]))

    def rows(self, runs: int = 10) -> Iterator[RevealingRow]:
        """List how soon secret and database are revealed, for every prior, pair and secret of it of
        positive probability.

        Raises `ModelError` if there is more to follow than `MAX_ROWS` or `MAX_MOVES`.
        """
        _expect_few_rows(self.framework)
        for prior in self.framework.priors:
            for pair in self.framework.pairs:
                for secret in pair:
                    if self.framework.mass(prior, secret):
                        yield RevealingRow(prior, pair, secret, "secret", self.given(prior, secret, pair, runs))
                        yield RevealingRow(prior, pair, secret, "database", self.given(prior, secret, None, runs))

    def _known(self, label: str, prior: str | None) -> tuple[int, int]:
        """Return a database and the set of those that are possible before any output."""
        if label not in self.framework.databases:
            raise ModelError(f'unknown database "{label}"')
        x, start = self.framework.databases.index(label), self.possible(prior)
        if not start >> x & 1:
            under = "every prior" if prior is None else f'the prior "{prior}"'
            raise ModelError(f'the database "{label}" has probability 0 under {under}')
        return x, start

    def _either(self, pair: Pair) -> tuple[int, ...]:
        for name in pair:
            if name not in self.framework.secrets:
                raise ModelError(f'unknown secret "{name}"')
        return tuple(_bits(self.framework.secrets[name]) for name in pair)

    def _law(self, x: int, start: int, goal: tuple[int, ...], runs: int) -> Revealing:
        _expect_runs(runs)
        if (x, start, goal, runs) not in self._laws:
            # weight of each set of databases that an output of x leaves
            numerators = self.channel.numerators_of(x)
            shared = gcd(*numerators)
            kinds: dict[int, int] = {}
            for support, number in zip(self.supports, numerators):
                if number:
                    kinds[support] = kinds.get(support, 0) + number // shared
            moves, total = self._chain(x, start, kinds), sum(kinds.values())
            revealed = {current for current in moves if any(not current & ~held for held in goal)}
            never, expected = _waiting(moves, total, revealed)[start]
            # P(revealed by run k) for k = 0, 1, .., runs; weights are over total^k
            weights = {} if start in revealed else {start: 1}
            curve = [Fraction(0 if weights else 1)]
            for run in range(1, runs + 1):
                following: dict[int, int] = {}
                for current, weight in weights.items():
                    for held, number in moves[current].items():
                        if held not in revealed:
                            following[held] = following.get(held, 0) + weight * number
                weights = following
                curve.append(1 - Fraction(sum(weights.values()), total**run))
            self._laws[x, start, goal, runs] = Revealing(tuple(curve), expected, never)
        return self._laws[x, start, goal, runs]

    def _chain(self, x: int, start: int, kinds: dict[int, int]) -> Moves:
        """Return the moves between the consistent sets that can be met when the database is x."""
        if (x, start) not in self._chains:
            moves: Moves = {}
            ahead = [start]
            while ahead:
                current = ahead.pop()
                if current in moves:
                    continue
                after: dict[int, int] = {}
                moves[current] = after
                for held, number in kinds.items():
                    after[current & held] = after.get(current & held, 0) + number
                self._moves += len(kinds)
                if self._moves > MAX_MOVES:
                    raise ModelError(f"too many consistent sets of databases to follow: over {MAX_MOVES} moves")
                ahead += after
            self._chains[x, start] = moves
        return self._chains[x, start]


def unrevealed(framework: Framework, runs: int = 10) -> Iterator[RevealingRow]:
    """List the rows of `Observer.rows` for a mechanism that shows every output with positive
    probability whatever the database is, as a query with noise does.

    No output rules a database out, so that after any number of runs only what the prior makes
    certain is certain. Records need not be listed where secrets are about single ones.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    >>> secrets = {"zero": (500_000, "0"), "one": (500_000, "1")}
    >>> records = Records(10**6, ("0", "1"))
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> [(row.given, row.goal, int(row.law.never)) for row in unrevealed(framework)][:2]
    [('zero', 'secret', 1), ('zero', 'database', 1)]

    Raises `ModelError` as `Observer.rows`.
    """
    framework = check_type(framework, Framework, "framework")
    _expect_runs(runs)
    _expect_few_rows(framework)
    for prior in framework.priors:
        known = (_Along if framework.along_records else _OfLaws)(framework, prior)
        for pair in framework.pairs:
            secret = any(known.certain(name) for name in pair)
            for given in pair:
                if known.possible(given):
                    yield RevealingRow(prior, pair, given, "secret", _at_once(secret, runs))
                    database = secret and known.one_database
                    yield RevealingRow(prior, pair, given, "database", _at_once(database, runs))


@dataclass(frozen=True)
class _OfLaws:
    """What a prior with a listed law makes possible, and certain."""

    framework: Framework
    prior: str

    @cached_property
    def _support(self) -> frozenset[int]:
        return frozenset(self.framework.laws[self.prior].support)

    def possible(self, secret: str) -> bool:
        return not self._support.isdisjoint(self.framework.secrets[secret])

    def certain(self, secret: str) -> bool:
        return self._support <= {*self.framework.secrets[secret]}

    @property
    def one_database(self) -> bool:
        return len(self._support) == 1


@dataclass(frozen=True)
class _Along:
    """The same of a prior along records, which need not be listed."""

    framework: Framework
    prior: str

    @cached_property
    def _private(self) -> Mapping[int, frozenset[int]]:
        """The possible values of every record that a secret is about."""
        records = {record for record, _ in self.framework.places.values()}
        return possible_values(self.framework, self.prior, sorted(records))

    def possible(self, secret: str) -> bool:
        record, value = self.framework.places[secret]
        return value in self._private[record]

    def certain(self, secret: str) -> bool:
        record, value = self.framework.places[secret]
        return self._private[record] == {value}

    @cached_property
    def one_database(self) -> bool:
        records = range(1, self.framework.expect_records().count + 1)
        return all(len(value) == 1 for value in possible_values(self.framework, self.prior, records).values())


def _at_once(certain: bool, runs: int) -> Revealing:
    """Return the law of what is certain before the first run, or never."""
    share = Fraction(int(certain))
    return Revealing((share,) * (runs + 1), Fraction(0) if certain else None, 1 - share)


def _expect_runs(runs: int) -> None:
    runs = check_type(runs, int, "runs")
    if not 0 <= runs <= MAX_RUNS:
        raise ModelError(f"expected from 0 to {MAX_RUNS} runs, found {runs}", "runs")


def _expect_few_rows(framework: Framework) -> None:
    if 4 * len(framework.priors) * len(framework.pairs) > MAX_ROWS:
        size = f"{len(framework.priors)} priors and {len(framework.pairs)} pairs"
        raise ModelError(f"too much to follow: {size}, expected at most {MAX_ROWS // 4} together", "pairs")


def _mean(shares: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum((share * value for share, value in zip(shares, values)), Fraction(0))


def _bits(databases: Collection[int]) -> int:
    """Return a set of databases as a bit set."""
    flags = bytearray(max(databases, default=0) // 8 + 1)
    for x in databases:
        flags[x >> 3] |= 1 << (x & 7)
    return int.from_bytes(flags, "little")


def _waiting(moves: Moves, total: int, revealed: set[int]) -> dict[int, tuple[Fraction, Fraction | None]]:
    """Return, from every consistent set, the probability of never revealing and the expected number
    of runs.

    With stay = P(the set does not change): t (1 - stay) = 1 + sum over smaller sets of P(move) t',
    from the smallest set on.
    """
    waiting: dict[int, tuple[Fraction, Fraction | None]] = {}
    for current in sorted(moves, key=int.bit_count):
        stay = moves[current].get(current, 0)
        if current in revealed:
            waiting[current] = Fraction(0), Fraction(0)
        elif stay == total:
            waiting[current] = Fraction(1), None
        else:
            after = [(number, *waiting[held]) for held, number in moves[current].items() if held != current]
            never = sum((number * lost for number, lost, _ in after), Fraction(0)) / (total - stay)
            finite = [number * time for number, _, time in after if time is not None]
            time = (total + sum(finite, Fraction(0))) / (total - stay) if len(finite) == len(after) else None
            waiting[current] = never, time
    return waiting
