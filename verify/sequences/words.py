"""Exact leakage of a hidden Markov mechanism: the largest ratio of likelihoods of its words.

    e^leakage = max over theta, (s, s'), words w of P(w | s, theta) / P(w | s', theta)

Words are followed letter by letter, with the pair a, b of joint probabilities with the next state
given s and s'. What follows has likelihoods <f, a> and <f, b> with one f >= 0: no continuation
exceeds max_h a_h / b_h, and some one reaches sum a / sum b. A beginning whose bound another reaches
is dropped; of those with proportional a and b the largest stays. States that show the same laws for
the letters that are left count as one. Infinite ratios are a matter of supports, followed first,
until that of a is inside that of b.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.priors.records import preview
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism, Word
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Witness, most_of, scope

RESTS_ON = ("lemma.mediant",)
MOST = 100_000  # beginnings of words that are followed
Vector = tuple[int, ...]
Path = tuple["Path", int] | None  # the letters of a beginning, the last first


@dataclass(frozen=True)
class WordRatio(LargestRatio):
    """What a hidden Markov mechanism leaks, and the `word` that shows it: its symbols by their
    positions. `followed` counts the beginnings of words that were looked at, `sides` are the
    probabilities of the word given both secrets.
    """

    word: Word
    sides: tuple[Fraction, Fraction]
    followed: int
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, repr=False)

    @property
    def output(self) -> Word:
        """The word, as a joint release takes it apart."""
        return self.word


@dataclass(frozen=True)
class _PairPlace:
    """An ordered pair of secrets under a prior, in file order."""

    order: int
    prior: str
    pair: Pair


@dataclass(frozen=True)
class _Node:
    """The beginning of a word: a factor times coprime ratios of what follows from a and b."""

    place: _PairPlace
    path: Path
    a: Vector
    b: Vector
    factor: Fraction

    @cached_property
    def reached(self) -> Fraction:
        """A ratio that some continuation reaches."""
        return self.factor * Fraction(sum(self.a), sum(self.b))

    @cached_property
    def bound(self) -> Fraction | None:
        """What no continuation exceeds, None for infinity."""
        above, below = 0, 1
        for left, right in zip(self.a, self.b):
            if left * below > above * right:
                above, below = left, right
            if left and not right:
                return None
        return self.factor * Fraction(above, below)

    @property
    def word(self) -> Word:
        return _word(self.path)


def word_leakage(framework: Framework, mechanism: HiddenMarkovMechanism, most: int = MOST) -> WordRatio:
    """Return the largest ratio of likelihoods of words, and the first word that reaches it.

    Where more than `most` beginnings would have to be followed, the leakage is enclosed.

    >>> from pufferproof import Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coins = HiddenMarkovMechanism(
    ...     {"a": {"h": 1}, "b": {"t": 1}},
    ...     {},
    ...     {"h": {"0": "3/4", "1": "1/4"}, "t": {"0": "1/4", "1": "3/4"}},
    ...     ["0", "1"],
    ...     length=100,
    ... )
    >>> largest = word_leakage(framework, coins)
    >>> largest.leakage.ratio == 3**100, largest.word == (0,) * 100, largest.followed < 1_000
    (True, True, True)

    Raises `ModelError` unless every possible database has a first state, priors are a list, and
    there is something to check; `TooLargeError` where it is not known whether the ratio is finite.
    """
    if framework.closure == "convex":
        raise TooLargeError(
            'mixtures of priors are audited for outputs that are listed, and there are too many words: expected "list"',
            "closure",
        )
    search = _WordsOfPriors(framework, mechanism, most)
    found = search.impossible()
    if found is not None:
        place, word = found
        return search.answer(Leakage.of(None), place, word)
    return search.finite()


class _WordsOfPriors:
    """Words of a mechanism under the priors of a framework."""

    def __init__(self, framework: Framework, mechanism: HiddenMarkovMechanism, most: int) -> None:
        self.framework, self.mechanism, self.most = framework, mechanism, most
        self.checked = scope(framework, len(mechanism.symbols) ** mechanism.length)
        self.steps = mechanism.integer_steps()
        self.followed = 0
        self.places = [
            _PairPlace(order, prior, pair)
            for order, (prior, pair) in enumerate(
                (prior, pair) for prior in framework.priors for pair in ordered_pairs(framework, prior)
            )
        ]
        self._laws: dict[tuple[str, str], tuple[Vector, int]] = {}
        self._rows = _rows(framework, mechanism)
        self.blocks = _blocks(self.steps.matrices, len(mechanism.states), mechanism.length)

    def law(self, prior: str, secret: str) -> tuple[Vector, int]:
        """Return the law of the first state given a secret, in integers over a denominator."""
        key = (prior, secret)
        if key not in self._laws:
            weights = self.framework.laws[prior].weights
            held = [x for x in self.framework.secrets[secret] if weights[x]]
            law = [
                sum((weights[x] * self._rows[x][state] for x in held), Fraction(0))
                for state in range(len(self.mechanism.states))
            ]
            below = lcm(*(value.denominator for value in law))
            mass = self.framework.mass(prior, secret)
            self._laws[key] = tuple(int(value * below) for value in law), below * mass
        return self._laws[key]

    def impossible(self) -> tuple[_PairPlace, Word] | None:
        """Return the first word that one secret allows and another excludes."""
        level: dict[tuple[Vector, Vector], tuple[_PairPlace, Path]] = {}
        for place in self.places:
            a, b = (self.law(place.prior, secret)[0] for secret in place.pair)
            if _beyond(a, b):
                level.setdefault((_support(a), _support(b)), (place, None))
        for left in range(self.mechanism.length, 0, -1):
            level = self._supports_after(level, left)
        for (_, b), (place, path) in level.items():
            if not any(b):
                return place, _word(path)
        return None

    def _supports_after(
        self, level: dict[tuple[Vector, Vector], tuple[_PairPlace, Path]], left: int
    ) -> dict[tuple[Vector, Vector], tuple[_PairPlace, Path]]:
        after: dict[tuple[Vector, Vector], tuple[_PairPlace, Path]] = {}
        for (a, b), (place, path) in level.items():
            for symbol in range(len(self.mechanism.symbols)):
                self.followed += 1
                above, below = (_support(self._after(each, symbol, left)) for each in (a, b))
                if _beyond(above, below):
                    after.setdefault((above, below), (place, (path, symbol)))
        if self.followed > MOST:
            raise TooLargeError(
                f"more than {MOST} beginnings of words to follow: whether the leakage is finite is not known", "length"
            )
        return after

    def finite(self) -> WordRatio:
        """Return the largest ratio where all are finite."""
        self.followed = 0
        level, settled = self._roots(), list[_Node]()
        for left in range(self.mechanism.length, 0, -1):
            level = self._pruned(level, settled)
            if self.followed > self.most:
                return self._enclosed(level + settled)
            level = self._next(level, left)
        best = _largest(level + settled)
        return self.answer(Leakage.of(best.reached), best.place, self._completed(best))

    def _roots(self) -> list[_Node]:
        """Return the empty word of every ordered pair under every prior."""
        roots = []
        for place in self.places:
            (a, under), (b, over) = (self.law(place.prior, secret) for secret in place.pair)
            roots.append(_node(place, None, a, b, Fraction(over, under)))
        return roots

    def _pruned(self, level: list[_Node], settled: list[_Node]) -> list[_Node]:
        """Return the open beginnings that can still reach the most."""
        best = max(node.reached for node in level + settled)
        rest = list[_Node]()
        for node in level:
            if node.bound is None or node.bound >= best:
                (settled if node.bound == node.reached else rest).append(node)
        if settled:
            settled[:] = [_largest(settled)]
        return rest

    def _next(self, level: list[_Node], left: int) -> list[_Node]:
        """Return the beginnings one letter longer, in file order, proportional ones once."""
        after: dict[tuple[Vector, Vector], _Node] = {}
        for node in level:
            for symbol in range(len(self.mechanism.symbols)):
                self.followed += 1
                a = self._after(node.a, symbol, left)
                if not any(a):
                    continue
                b = self._after(node.b, symbol, left)
                child = _node(node.place, (node.path, symbol), a, b, node.factor)
                key = (child.a, child.b)
                if key in after and after[key].factor >= child.factor:
                    continue
                after.pop(key, None)
                after[key] = child
        return list(after.values())

    def _after(self, vector: Sequence[int], symbol: int, left: int) -> Vector:
        """Return the weights of the next states, of which those that look alike for the letters
        that are left are counted at the first of them.
        """
        after = self.steps.after(vector, symbol)
        block = self.blocks[left - 1]
        merged = [0] * len(after)
        for state, weight in enumerate(after):
            merged[block[state]] += weight
        return tuple(merged)

    def _completed(self, node: _Node) -> Word:
        """Return the first word with the beginning of a node that is possible."""
        word, a = list(node.word), node.a
        for left in range(self.mechanism.length - len(word), 0, -1):
            for symbol in range(len(self.mechanism.symbols)):
                after = self._after(a, symbol, left)
                if any(after):
                    word.append(symbol)
                    a = after
                    break
        return tuple(word)

    def _enclosed(self, nodes: list[_Node]) -> WordRatio:
        """Return bounds of the largest ratio: by a greedy word, and by the largest bound."""
        best = _largest(nodes)
        upper = most_of([node.bound for node in nodes])
        while len(best.word) < self.mechanism.length:
            best = _largest(self._next([best], self.mechanism.length - len(best.word)))
        return self.answer(Leakage(best.reached, upper), best.place, best.word)

    def answer(self, leakage: Leakage, place: _PairPlace, word: Word) -> WordRatio:
        """Return the answer, its word evaluated anew."""
        sides = (self._evaluated(place, place.pair[0], word), self._evaluated(place, place.pair[1], word))
        reached = sides[0] / sides[1] if sides[1] else None
        if not sides[0] or reached != leakage.lower:
            raise AssertionError("a word that was evaluated anew reaches what was found")
        witness = Witness(place.prior, place.pair, self.mechanism.label(word))
        return WordRatio(leakage, witness, self.checked, word, sides, self.followed)

    def _evaluated(self, place: _PairPlace, secret: str, word: Word) -> Fraction:
        """Return the probability of a word given a secret, database by database."""
        weights = self.framework.laws[place.prior].weights
        mass = self.framework.mass(place.prior, secret)
        total = Fraction(0)
        for x in self.framework.secrets[secret]:
            if weights[x]:
                database = self.framework.databases[x]
                total += weights[x] * self.mechanism.probability(database, word)
        return total / mass


def _rows(framework: Framework, mechanism: HiddenMarkovMechanism) -> dict[int, tuple[Fraction, ...]]:
    """Return the first state's law by database; raise `ModelError` for missing ones."""
    known = set(framework.databases)
    for label in mechanism.databases:
        if label not in known:
            expected = preview(framework.databases)
            raise ModelError(f'unknown database "{label}", expected one of {expected}', "initial")
    rows = dict(zip(mechanism.databases, mechanism.start))
    for index in sorted(framework.support):
        if framework.databases[index] not in rows:
            raise ModelError(
                f'no row for database "{framework.databases[index]}", which has positive probability', "initial"
            )
    return {index: rows[label] for index, label in enumerate(framework.databases) if label in rows}


def _blocks(matrices: Sequence[Sequence[Sequence[tuple[int, int]]]], states: int, length: int) -> list[list[int]]:
    """Return for 0 .. length letters that are left the first state that looks like each: it shows
    the same symbol and goes to states that look alike with the same probabilities.
    """
    blocks = [[0] * states]
    for _ in range(length):
        before, first = blocks[-1], dict[tuple[tuple[tuple[int, int], int], ...], int]()
        block = []
        for state in range(states):
            into: dict[tuple[int, int], int] = {}
            for symbol, matrix in enumerate(matrices):
                for target, number in matrix[state]:
                    key = (symbol, before[target])
                    into[key] = into.get(key, 0) + number
            block.append(first.setdefault(tuple(sorted(into.items())), state))
        blocks.append(before if block == before else block)
        if blocks[-1] is before:
            return blocks + [before] * (length + 1 - len(blocks))
    return blocks


def _node(place: _PairPlace, path: Path, a: Sequence[int], b: Sequence[int], factor: Fraction) -> _Node:
    """Return a node with the common divisors of a and of b in its factor."""
    above, below = gcd(*a), gcd(*b)
    return _Node(
        place,
        path,
        tuple(number // above for number in a),
        tuple(number // below for number in b),
        factor * Fraction(above, below),
    )


def _largest(nodes: Sequence[_Node]) -> _Node:
    """Return the node that reaches the most, the first in file order among several."""
    most = max(node.reached for node in nodes)
    best = [node for node in nodes if node.reached == most]
    return min(best, key=lambda node: (node.place.order, node.word))


def _support(vector: Sequence[int]) -> Vector:
    return tuple(int(number > 0) for number in vector)


def _beyond(a: Vector, b: Vector) -> bool:
    """Say whether a is positive somewhere where b is 0: if not, neither is it later."""
    return any(left and not right for left, right in zip(a, b))


def _word(path: Path) -> Word:
    letters = []
    while path is not None:
        path, letter = path
        letters.append(letter)
    return tuple(reversed(letters))
