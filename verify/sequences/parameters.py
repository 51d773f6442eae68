"""Whether a hidden Markov mechanism with parameters keeps a level for all their values.

With R a rational bound of e^epsilon from below, and d = R b - a for the joint probabilities a, b of
a beginning of a word with the next state, the level is kept if the sum of d is nonnegative for all
words. A beginning is dropped where every entry of d is: nothing that follows is negative. A
polynomial is nonnegative on a box if its Bernstein coefficients are, there or on parts of it; else
Z3 and cvc5 are asked, and believed if both say so. A violation is a
rational point at which the exact audit finds one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.sequences.parametric import ParametricMechanism, Polynomials
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.proof.smt import ask
from pufferproof.verify.sequences.words import WordRatio, word_leakage

if TYPE_CHECKING:
    from flint import fmpq_mpoly

MOST = 20_000  # beginnings of words that are followed
_BOXES = 64  # parts of a box in which a polynomial is looked at
_COEFFICIENTS = 50_000
_SECONDS = 10.0  # of a solver
Box = tuple[tuple[Fraction, Fraction], ...]
Point = dict[str, Fraction]
Vector = tuple[Any, ...]


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
    framework: Framework, mechanism: ParametricMechanism, level: Level, most: int = MOST
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
            sign = self.sign(_total(vector))
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

    def ends(self) -> list[Vector]:
        """Return d of every word that was kept, or of all if they were too many."""
        level = {_key(vector): vector for vector in self._roots()}
        for _ in range(self.mechanism.length):
            after: dict[tuple[str, ...], Vector] = {}
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

    def _roots(self) -> Iterator[Vector]:
        """Yield d of the empty word, for every ordered pair under every prior."""
        for prior in self.framework.priors:
            for above, below in ordered_pairs(self.framework, prior):
                a, b = self._law(prior, above), self._law(prior, below)
                bound = self.ring.constant(self.bound)
                yield _scaled(tuple(bound * right - left for left, right in zip(a, b)))

    def _law(self, prior: str, secret: str) -> Vector:
        """Return the law of the first state given a secret."""
        weights, mass = self.framework.laws[prior].weights, self.framework.mass(prior, secret)
        law = [self.ring.constant(Fraction(0))] * len(self.mechanism.states)
        for x in self.framework.secrets[secret]:
            if weights[x]:
                share = self.ring.constant(Fraction(weights[x], mass))
                row = self.mechanism.start[self.mechanism.databases.index(self.framework.databases[x])]
                law = [total + share * entry for total, entry in zip(law, row)]
        return tuple(law)

    def _after(self, vector: Vector, symbol: int) -> Vector:
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
            pending += _halves(part)
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
        coefficients = _bernstein(coefficients, variable, degree)
    return all(value >= 0 for value in coefficients.values())


def _bernstein(
    coefficients: Mapping[tuple[int, ...], Fraction], variable: int, degree: int
) -> dict[tuple[int, ...], Fraction]:
    """Return Bernstein coefficients: b_k = sum over j <= k of C(k, j) / C(degree, j) a_j."""
    after: dict[tuple[int, ...], Fraction] = {}
    for powers, value in coefficients.items():
        j = powers[variable]
        for k in range(j, degree + 1):
            place = (*powers[:variable], k, *powers[variable + 1 :])
            share = value * Fraction(comb(k, j), comb(degree, j))
            after[place] = after.get(place, Fraction(0)) + share
    return after


def _halves(box: Box) -> list[Box]:
    """Return the two halves of a box, cut across its longest side."""
    lengths = [high - low for low, high in box]
    longest = lengths.index(max(lengths))
    low, high = box[longest]
    middle = (low + high) / 2
    sides = ((low, middle), (middle, high))
    return [(*box[:longest], side, *box[longest + 1 :]) for side in sides]


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


def _total(vector: Vector) -> Any:
    total = vector[0]
    for entry in vector[1:]:
        total += entry
    return total


def _scaled(vector: Vector) -> Vector:
    """Return a vector over the size of its first coefficient: signs are as they were."""
    first = next((entry for entry in vector if entry != 0), None)
    if first is None:
        return vector
    scale = abs(first.leading_coefficient())
    return tuple(entry / scale for entry in vector)


def _key(vector: Vector) -> tuple[str, ...]:
    return tuple(str(entry) for entry in vector)
