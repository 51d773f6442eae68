"""Exact leakage of a hidden Markov mechanism: the largest ratio of likelihoods of its words.

    e^leakage = max over theta, (s, s'), words w of P(w | s, theta) / P(w | s', theta)

Words are followed letter by letter, with the pair a, b of joint probabilities with the next state
given s and s'. What follows has likelihoods <f, a> and <f, b> with one f >= 0: no continuation
exceeds max_h a_h / b_h, and some one reaches sum a / sum b. A beginning whose bound another reaches
is dropped; of those with proportional a and b the largest stays. States that show the same laws for
the letters that are left count as one. Infinite ratios are a matter of supports, followed first,
until that of a is inside that of b.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, gcd, lcm, prod
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.records import preview
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism, Word
from pufferproof.models.sequences.parametric import ParametricMechanism, Polynomials
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Witness, most_of, scope
from pufferproof.verify.proof.smt import ask

if TYPE_CHECKING:
    from flint import fmpq_mpoly

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
            # the open beginnings that can still reach the most
            most = max(node.reached for node in level + settled)
            rest = list[_Node]()
            for node in level:
                if node.bound is None or node.bound >= most:
                    (settled if node.bound == node.reached else rest).append(node)
            if settled:
                settled[:] = [_largest(settled)]
            level = rest
            if self.followed > self.most:
                return self._enclosed(level + settled)
            level = self._next(level, left)
        best = _largest(level + settled)
        # the first word with the beginning of a node that is possible
        word, a = list(best.word), best.a
        for left in range(self.mechanism.length - len(word), 0, -1):
            for symbol in range(len(self.mechanism.symbols)):
                after = self._after(a, symbol, left)
                if any(after):
                    word.append(symbol)
                    a = after
                    break
        return self.answer(Leakage.of(best.reached), best.place, tuple(word))

    def _roots(self) -> list[_Node]:
        """Return the empty word of every ordered pair under every prior."""
        roots = []
        for place in self.places:
            (a, under), (b, over) = (self.law(place.prior, secret) for secret in place.pair)
            roots.append(_node(place, None, a, b, Fraction(over, under)))
        return roots

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


# Whether a hidden Markov mechanism with parameters keeps a level for all their values.
#
# With R a rational bound of e^epsilon from below, and d = R b - a for the joint probabilities a, b of a beginning of a
# word with the next state, the level is kept if the sum of d is nonnegative for all words. A beginning is dropped
# where every entry of d is: nothing that follows is negative. A polynomial is nonnegative on a box if its Bernstein
# coefficients are, there or on parts of it; else Z3 and cvc5 are asked, and believed if both say so. A violation is a
# rational point at which the exact audit finds one.

MOST_OF_PARAMETERS = 20_000  # beginnings of words that are followed
_BOXES = 64  # parts of a box in which a polynomial is looked at
_COEFFICIENTS = 50_000
_SECONDS = 10.0  # of a solver
Box = tuple[tuple[Fraction, Fraction], ...]
Point = dict[str, Fraction]
ParameterVector = tuple[Any, ...]


@dataclass(frozen=True)
class ParametricRatio(WordRatio):
    """What is known of a mechanism with parameters at one level: the most that was found, at
    `point`, and whether it keeps the level for all values.
    """

    point: tuple[tuple[str, Fraction], ...]
    kept: Decision
    solvers: bool
    reason: str

    @property
    def where(self) -> str:
        """The values of the parameters."""
        return "at " + ", ".join(f"{name} = {text_of(value)}" for name, value in self.point)

    def compare(self, level: Level) -> int | None:
        """Return 1 where the level is exceeded, 0 where it is kept for all values, else None."""
        if self.kept is Decision.UNDECIDED:
            return None
        return 0 if self.kept else 1

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats with the values of the parameters."""
        values = {name: text_of(value) for name, value in self.point}
        return super().as_json(level) | {"parameters": values}

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what the answer rests on: both solvers where they were asked."""
        return (*super().trust(level), *(("Z3", "CVC5") if self.solvers else ()))


@dataclass(frozen=True)
class Sign:
    """Whether a polynomial is nonnegative on a box, with a point where it is not; `solvers` were
    asked where arithmetic did not tell.
    """

    nonnegative: Decision
    point: Point | None = None
    solvers: bool = False


def parametric_leakage(
    framework: Framework, mechanism: ParametricMechanism, level: Level, most: int = MOST_OF_PARAMETERS
) -> ParametricRatio:
    """Decide whether a mechanism keeps a level for all values of its parameters.

    >>> from pufferproof import Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coin = ParametricMechanism(
    ...     {"a": {"h": 1}, "b": {"t": 1}},
    ...     {},
    ...     {"h": {"0": "p", "1": "1 - p"}, "t": {"0": "1 - p", "1": "p"}},
    ...     symbols=["0", "1"],
    ...     length=1,
    ...     parameters={"p": ("1/4", "3/4")},
    ... )
    >>> parametric_leakage(framework, coin, Level("log(3)")).kept.name
    'HOLDS'
    >>> parametric_leakage(framework, coin, Level("log(2)")).point
    (('p', Fraction(1, 4)),)

    Raises `ModelError` unless priors are a list, every database has a law of the first state, and
    no probability is negative for values that were looked at.
    """
    if framework.closure == "convex":
        raise ModelError('needs a list of priors: expected "list"', "closure")
    decision = _ParameterQuestion(framework, mechanism, level, most)
    best = max(
        (decision.audited(point) for point in decision.points()),
        key=lambda each: (each.leakage.infinite, each.leakage.lower or Fraction(0)),
    )
    if best.exceeds(level):
        return best.answer(Decision.FAILS, decision, "")
    return decision.all_values(best)


@dataclass(frozen=True)
class _Audited:
    """An exact audit at one point."""

    point: Point
    largest: WordRatio

    @property
    def leakage(self) -> Leakage:
        return self.largest.leakage

    def exceeds(self, level: Level) -> bool:
        """Say whether it exceeds the level, for certain."""
        return self.largest.compare(level) == 1

    def answer(self, kept: Decision, decision: "_ParameterQuestion", reason: str) -> ParametricRatio:
        """Return the answer; the leakage over all values is at least that of this point, and at
        most the level where that is kept.
        """
        known = self.largest
        upper = decision.bound if kept is Decision.HOLDS else None
        leakage = known.leakage if known.leakage.infinite else Leakage(known.leakage.lower, upper)
        return ParametricRatio(
            leakage,
            witness=known.witness,
            scope=known.scope,
            word=known.word,
            sides=known.sides,
            followed=decision.followed,
            point=tuple(self.point.items()),
            kept=kept,
            solvers=decision.solvers and kept is Decision.HOLDS,
            reason=reason,
        )


class _ParameterQuestion:
    """One question: a framework, a mechanism, and a level."""

    def __init__(self, framework: Framework, mechanism: ParametricMechanism, level: Level, most: int) -> None:
        self.framework, self.mechanism, self.level = framework, mechanism, level
        self.ring, self.most = mechanism.ring, most
        self.bound = level.bounds()[0]  # at most e^epsilon
        self.solvers, self.followed = False, 0

    def points(self) -> Iterator[Point]:
        """Yield the corners of the box, and its middle."""
        box = self.mechanism.box
        middle = tuple((low + high) / 2 for low, high in box)
        for values in dict.fromkeys([*product(*box), middle]):
            yield dict(zip(self.ring.names, values))

    def audited(self, point: Point) -> _Audited:
        """Audit the mechanism at a point."""
        return _Audited(point, word_leakage(self.framework, self.mechanism.at(point)))

    def all_values(self, best: _Audited) -> ParametricRatio:
        """Return the answer for all values, given one point that keeps the level."""
        for place, entry in self.mechanism.entries():
            sign = self.sign(entry)
            if sign.point is not None:
                self.mechanism.at(sign.point)  # a probability is negative there, which is an error
            if sign.nonnegative is not Decision.HOLDS:
                why = f"whether a probability is negative is not known: {place}"
                return best.answer(Decision.UNDECIDED, self, why)
        undecided = ""
        for vector in self.ends():
            total = vector[0]
            for entry in vector[1:]:
                total += entry
            sign = self.sign(total)
            if sign.point is not None:
                found = self.audited(sign.point)
                if found.exceeds(self.level):
                    return found.answer(Decision.FAILS, self, "")
            if sign.nonnegative is not Decision.HOLDS:
                undecided = "for some words neither arithmetic nor both solvers tell"
        if self.followed > self.most:
            undecided = f"more than {self.most} beginnings of words to follow"
        kept = Decision.UNDECIDED if undecided else Decision.HOLDS
        return best.answer(kept, self, undecided)

    def sign(self, polynomial: "fmpq_mpoly") -> Sign:
        """Say whether a polynomial is nonnegative, and keep in mind whether solvers said so."""
        sign = nonnegative(self.ring, polynomial, self.mechanism.box)
        self.solvers |= sign.solvers
        return sign

    def ends(self) -> list[ParameterVector]:
        """Return d of every word that was kept, or of all if they were too many."""
        level = {_key(vector): vector for vector in self._roots()}
        for _ in range(self.mechanism.length):
            after: dict[tuple[str, ...], ParameterVector] = {}
            for vector in level.values():
                if all(plainly_nonnegative(self.ring, entry, self.mechanism.box) for entry in vector):
                    continue
                for symbol in range(len(self.mechanism.symbols)):
                    self.followed += 1
                    child = _scaled(self._after(vector, symbol))
                    after.setdefault(_key(child), child)
            level = after
            if self.followed > self.most:
                break
        return list(level.values())

    def _roots(self) -> Iterator[ParameterVector]:
        """Yield d of the empty word, for every ordered pair under every prior."""
        for prior in self.framework.priors:
            for above, below in ordered_pairs(self.framework, prior):
                a, b = self._law(prior, above), self._law(prior, below)
                bound = self.ring.constant(self.bound)
                yield _scaled(tuple(bound * right - left for left, right in zip(a, b)))

    def _law(self, prior: str, secret: str) -> ParameterVector:
        """Return the law of the first state given a secret."""
        weights, mass = self.framework.laws[prior].weights, self.framework.mass(prior, secret)
        law = [self.ring.constant(Fraction(0))] * len(self.mechanism.states)
        for x in self.framework.secrets[secret]:
            if weights[x]:
                share = self.ring.constant(Fraction(weights[x], mass))
                row = self.mechanism.start[self.mechanism.databases.index(self.framework.databases[x])]
                law = [total + share * entry for total, entry in zip(law, row)]
        return tuple(law)

    def _after(self, vector: ParameterVector, symbol: int) -> ParameterVector:
        """Return d once a symbol was shown."""
        after = [self.ring.constant(Fraction(0))] * len(vector)
        for weight, row, show in zip(vector, self.mechanism.moves, self.mechanism.shows):
            shown = weight * show[symbol]
            if shown != 0:
                after = [total + shown * move for total, move in zip(after, row)]
        return tuple(after)


def nonnegative(ring: Polynomials, polynomial: "fmpq_mpoly", box: Box) -> Sign:
    """Decide whether a polynomial is nonnegative on a box: by Bernstein coefficients, or by two
    solvers.

    >>> ring = Polynomials(["p"])
    >>> unit = ((Fraction(0), Fraction(1)),)
    >>> nonnegative(ring, ring.read("(3*p - 1)^2"), unit).nonnegative.name
    'HOLDS'
    >>> nonnegative(ring, ring.read("(3*p - 1)^2 - 1/100"), unit).nonnegative.name
    'FAILS'
    """
    pending, looked = [box], 0
    while pending and looked < _BOXES:
        looked += 1
        part = pending.pop(0)
        for corner in product(*part):
            point = dict(zip(ring.names, corner))
            if ring.value(polynomial, point) < 0:
                return Sign(Decision.FAILS, point)
        if not plainly_nonnegative(ring, polynomial, part):
            # the two halves of a box, cut across its longest side
            lengths = [high - low for low, high in part]
            longest = lengths.index(max(lengths))
            low, high = part[longest]
            middle = (low + high) / 2
            sides = ((low, middle), (middle, high))
            pending += [(*part[:longest], side, *part[longest + 1 :]) for side in sides]
    return _by_solvers(ring, polynomial, box) if pending else Sign(Decision.HOLDS)


def plainly_nonnegative(ring: Polynomials, polynomial: Any, box: Box) -> bool:
    """Say whether all Bernstein coefficients on a box are non-negative."""
    if polynomial == 0:
        return True
    moved = ring.on_unit_box(polynomial, box)
    degrees = moved.degrees()
    if prod(degree + 1 for degree in degrees) > _COEFFICIENTS:
        return False
    coefficients = {tuple(powers): Fraction(int(number.p), int(number.q)) for powers, number in moved.to_dict().items()}
    for variable, degree in enumerate(degrees):
        # Bernstein coefficients: b_k = sum over j <= k of C(k, j) / C(degree, j) a_j
        after: dict[tuple[int, ...], Fraction] = {}
        for powers, value in coefficients.items():
            j = powers[variable]
            for k in range(j, degree + 1):
                place = (*powers[:variable], k, *powers[variable + 1 :])
                share = value * Fraction(comb(k, j), comb(degree, j))
                after[place] = after.get(place, Fraction(0)) + share
        coefficients = after
    return all(value >= 0 for value in coefficients.values())


def _by_solvers(ring: Polynomials, polynomial: "fmpq_mpoly", box: Box) -> Sign:
    """Ask both solvers for a point where a polynomial is negative, and evaluate it."""
    query = _query(ring, polynomial, box)
    answers = [ask(solver, query, _SECONDS) for solver in ("z3", "cvc5")]
    for answer in answers:
        point = {name: value for name, value in answer.model if value is not None}
        inside = set(point) == set(ring.names) and all(
            low <= point[name] <= high for name, (low, high) in zip(ring.names, box)
        )
        if answer.status == "sat" and inside and ring.value(polynomial, point) < 0:
            return Sign(Decision.FAILS, point)
    if all(answer.status == "unsat" for answer in answers):
        return Sign(Decision.HOLDS, solvers=True)
    return Sign(Decision.UNDECIDED)


def _query(ring: Polynomials, polynomial: "fmpq_mpoly", box: Box) -> str:
    """Return the query that is unsatisfiable iff a polynomial is nonnegative on a box."""
    lines = ["(set-logic QF_NRA)", *(f"(declare-fun {name} () Real)" for name in ring.names)]
    for name, (low, high) in zip(ring.names, box):
        lines += [f"(assert (<= {_number(low)} {name}))", f"(assert (<= {name} {_number(high)}))"]
    terms = ["0"]
    for powers, number in polynomial.to_dict().items():
        factors = [_number(Fraction(int(number.p), int(number.q)))]
        for name, power in zip(ring.names, powers):
            factors += [name] * int(power)
        terms.append(f"(* {' '.join(factors)} 1)")
    return "\n".join([*lines, f"(assert (< (+ {' '.join(terms)} 0) 0))", "(check-sat)"]) + "\n"


def _number(value: Fraction) -> str:
    size = f"(/ {abs(value.numerator)} {value.denominator})"
    return f"(- {size})" if value < 0 else size


def _scaled(vector: ParameterVector) -> ParameterVector:
    """Return a vector over the size of its first coefficient: signs are as they were."""
    first = next((entry for entry in vector if entry != 0), None)
    if first is None:
        return vector
    scale = abs(first.leading_coefficient())
    return tuple(entry / scale for entry in vector)


def _key(vector: ParameterVector) -> tuple[str, ...]:
    return tuple(str(entry) for entry in vector)
