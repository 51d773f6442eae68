"""Whether a formula decides anything: a conclusion that one of its hypotheses says does not.

A step that says nothing new is refused, since the sentence beside it would carry the argument
alone. Relations are compared up to rearrangement (`_Relation`), and letters that are compared may
have a number to spare (a <= b + 1). Engines decide what needs a second hypothesis, such as the sign
of a factor, and whether numbers are within bounds (x = 7/24 gives x < 3/10). A conclusion that says
itself that two forms are equivalent, or one implies the other, is refused only if they are one
form.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from pufferproof.models.errors import extras

if TYPE_CHECKING:
    from sympy import Basic


def nothing_decided(conclusion: object, assuming: "Sequence[Basic]" = ()) -> str | None:
    """Say why an implication decides nothing, or return None if it decides something."""
    return _nothing_decided(conclusion, tuple(assuming))


@lru_cache(maxsize=4096)
def _nothing_decided(conclusion: object, assuming: "tuple[Basic, ...]") -> str | None:
    """Say why, once: steps, readings and near misses have most of their hypotheses in common."""
    with extras:
        import sympy

    if conclusion is sympy.true:
        return "the conclusion is true as it is written"
    known = _KnownOfHypotheses(tuple(_conjuncts(assuming)), multiples=True)
    if all(_known(part, known) for part in _conjuncts([conclusion])):
        return "the conclusion is one of the hypotheses"
    return None


def _conjuncts(formulas: "Sequence[Basic]") -> Iterator[object]:
    """Yield what formulas say one by one, a negated relation as the opposite one."""
    with extras:
        import sympy

    for formula in formulas:
        plain = _negations_inside(formula)
        if isinstance(plain, sympy.And):
            yield from _conjuncts(plain.args)
        else:
            yield plain


def _negations_inside(formula: object) -> object:
    """Return a formula with its first negation moved inwards: not (a and b) is not a or not b."""
    with extras:
        import sympy

    if not isinstance(formula, sympy.Not):
        return formula
    (negated,) = formula.args
    opposites = [sympy.Not(argument, evaluate=False) for argument in negated.args]
    if isinstance(negated, sympy.And):
        return sympy.Or(*map(_negations_inside, opposites), evaluate=False)
    if isinstance(negated, sympy.Or):
        return sympy.And(*opposites, evaluate=False)
    if isinstance(negated, sympy.Implies):
        return sympy.And(negated.args[0], opposites[1], evaluate=False)
    if isinstance(negated, sympy.Not):
        return _negations_inside(negated.args[0])
    return sympy.Not(negated)  # of a relation the opposite one


@dataclass(frozen=True)
class _Relation:
    """A relation `left (> | >= | = | !=) 0`, its left side a sum of terms and a constant, in which
    the largest coefficient of a term is 1.

    Terms may change sides, both sides may be multiplied by a number, those of an equation also by
    letters, and a stronger relation gives a weaker one (a < b gives a <= b).
    """

    sign: str
    terms: "frozenset[tuple[Basic, Basic]]"
    constant: "Basic"

    @property
    def left(self) -> "Basic":
        return self.constant + sum(number * term for term, number in self.terms)

    @cached_property
    def both_ways(self) -> tuple["_Relation", ...]:
        """An equation says the same of both sides exchanged."""
        if self.sign not in ("=", "!="):
            return (self,)
        terms = frozenset((term, -number) for term, number in self.terms)
        return self, _Relation(self.sign, terms, -self.constant)

    def gives(self, other: "_Relation") -> bool:
        """Whether another relation of the same terms is the same, or weaker."""
        return any(
            one.terms == two.terms and one._leaves(two.constant - one.constant, two.sign)
            for one in self.both_ways
            for two in other.both_ways
        )

    def _leaves(self, more: "Basic", sign: str) -> bool:
        """Whether left + more has a sign: that is what left (> | >= | = | !=) 0 leaves of it."""
        if more != 0 and len(self.terms) < 2:  # bounds of one letter: numbers are compared
            return False
        if self.sign == "=":
            return _holds(more, sign)
        if self.sign == "!=":
            return bool(sign == "!=" and more == 0)
        strict = self.sign == ">" or more > 0
        return bool(more >= 0 and (sign == ">=" or (sign != "=" and strict)))

    def times_letters(self, other: "_Relation") -> bool:
        """Whether another equation is this one, both sides multiplied by letters."""
        with extras:
            import sympy

        if {self.sign, other.sign} != {"="} or other.constant != 0 or not self.terms:
            return False
        if len(other.terms) != len(self.terms) + (self.constant != 0):
            return False
        number, factor = sympy.cancel(other.left / self.left).as_coeff_Mul()
        powers = factor.as_powers_dict().items()
        return bool(number) and all(each.is_Symbol and power > 0 for each, power in powers)


def _holds(number: "Basic", sign: str) -> bool:
    """Say whether a number is > 0, >= 0, = 0 or != 0."""
    decided = {">": number > 0, ">=": number >= 0, "=": number == 0, "!=": number != 0}
    return bool(decided[sign])


@dataclass(frozen=True)
class _KnownOfHypotheses:
    """What hypotheses say one by one, and whether letters may multiply an equation."""

    hypotheses: "tuple[Basic, ...]"
    multiples: bool = False

    @cached_property
    def written(self) -> "frozenset[Basic]":
        return frozenset(map(_as_is, self.hypotheses))

    @cached_property
    def relations(self) -> tuple[_Relation, ...]:
        forms = (_form(hypothesis) for hypothesis in self.hypotheses)
        return tuple(form for form in forms if form is not None)

    @property
    def alternatives(self) -> "Iterator[Sequence[Basic]]":
        """The cases of every hypothesis that says "or"."""
        with extras:
            import sympy

        yield from (hypothesis.args for hypothesis in self.hypotheses if isinstance(hypothesis, sympy.Or))

    def of(self, *formulas: "Basic") -> "_KnownOfHypotheses":
        """What formulas say alone."""
        return _KnownOfHypotheses(tuple(_conjuncts(formulas)), self.multiples)

    def gives(self, relation: _Relation) -> bool:
        """Whether one of the relations gives another one at once."""
        return any(each.gives(relation) or (self.multiples and each.times_letters(relation)) for each in self.relations)


def _known(part: object, known: _KnownOfHypotheses) -> bool:
    """Say whether a formula is among what is known, or is in every case of an "or"."""
    return _said(part, known) or any(all(_said(part, known.of(case)) for case in cases) for cases in known.alternatives)


def _said(part: object, known: _KnownOfHypotheses) -> bool:
    """Say whether a formula is among what is known; an "or" is if one of its parts is."""
    with extras:
        import sympy

    if _true_as_written(part) or _as_is(part) in known.written:
        return True
    if isinstance(part, sympy.Or):
        return any(_all_said(argument, known) for argument in part.args)
    if isinstance(part, sympy.Implies):
        return _all_said(part.args[1], known.of(part.args[0], *known.hypotheses))
    form = _form(part)
    return form is not None and known.gives(form)


def _true_as_written(part: "Basic") -> bool:
    """Say whether a formula is true, or compares a thing with itself."""
    with extras:
        import sympy

    reflexive = isinstance(part, sympy.Eq | sympy.Le | sympy.Ge)
    return part is sympy.true or (reflexive and bool(part.lhs == part.rhs))


def _all_said(formula: object, known: _KnownOfHypotheses) -> bool:
    return all(_said(part, known) for part in _conjuncts([formula]))


def _as_is(part: object) -> object:
    """Return a formula as it is written, whichever way round its relation is."""
    with extras:
        import sympy

    if isinstance(part, sympy.Gt | sympy.Ge):
        return part.reversed
    if isinstance(part, sympy.Eq | sympy.Ne):
        return (type(part).__name__, frozenset([part.lhs, part.rhs]))
    return part


@lru_cache(maxsize=4096)
def _form(part: "Basic") -> _Relation | None:
    """Return a relation as one to 0; None for other formulas."""
    with extras:
        import sympy

    forms = {sympy.Gt: (">", 1), sympy.Lt: (">", -1), sympy.Ge: (">=", 1), sympy.Le: (">=", -1)}
    forms |= {sympy.Eq: ("=", 1), sympy.Ne: ("!=", 1)}
    if type(part) not in forms:
        return None
    sign, side = forms[type(part)]
    sums = sympy.expand(side * (part.lhs - part.rhs)).as_coefficients_dict()
    terms = {term: number for term, number in sums.items() if number != 0 and term != 1}
    scale = max((abs(number) for number in terms.values()), default=1)
    return _Relation(
        sign,
        frozenset((term, number / scale) for term, number in terms.items()),
        sums.get(sympy.S.One, sympy.S.Zero) / scale,
    )
