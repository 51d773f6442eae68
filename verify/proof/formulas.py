"""What a formula may be made of, so that the letters an engine decides are the letters a person
wrote.

sympy simplifies while an expression is built, using what it assumes of symbols: `Symbol("x",
positive=True) > 0` is True before any engine sees it. So symbols carry no assumptions (hypotheses
are written down), one name is one symbol, floats are refused. What sympy still does by itself, such
as cancelling x / x, no later check can see: denominators belong in the assumptions.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from pufferproof.models.errors import SolverError, extras

if TYPE_CHECKING:
    from flint import arb, fmpq_mpoly, fmpq_mpoly_ctx
    from sympy import Basic

# Identities between rational functions with rational coefficients, decided by exact polynomial arithmetic (python-
# flint).
#
# An expression is turned into a numerator and a denominator in Q[x_1 .. x_k]; two expressions are identical iff the
# cross products agree. That holds wherever no denominator vanishes, and the denominators are reported as the
# condition.

# Positivity of an expression with logarithms and exponentials on an interval, by Arb and subdivision.
#
# Bisection ends when every piece has a positive lower bound, or when there are too many pieces: then nothing is
# decided. An expression that touches zero must have its zero factored out first.

_MAX_PIECES = 20_000
_BITS = 128


@dataclass(frozen=True)
class Positivity:
    """Whether positivity was established, on how many pieces, where it was not, and whether it
    is certainly false there.
    """

    holds: bool
    pieces: int
    near: Fraction | None = None
    refuted: bool = False


def positive_on(expression: object, symbol: object, low: Fraction, high: Fraction) -> Positivity:
    """Decide that a sympy expression in one symbol is positive on [low, high].

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> positive_on(sympy.exp(x) - 1 - x + sympy.Rational(1, 100), x, Fraction(-1), Fraction(1)).holds
    True
    >>> positive_on(sympy.log(x), x, Fraction(1, 2), Fraction(2)).holds
    False
    """
    from flint import arb, ctx, fmpq

    pending, pieces = [(low, high)], 0
    with ctx.workprec(_BITS):
        while pending:
            left, right = pending.pop()
            middle = (left + right) / 2
            radius = (right - left) / 2
            ball = arb(fmpq(middle.numerator, middle.denominator))
            width = arb(fmpq(radius.numerator, radius.denominator))
            value = _evaluate(expression, symbol, ball + width * arb(0, 1))
            pieces += 1
            if value > 0:
                continue
            point = _evaluate(expression, symbol, ball)
            if point <= 0 or pieces + len(pending) > _MAX_PIECES:
                return Positivity(False, pieces, middle, bool(point <= 0))
            pending += [(left, middle), (middle, right)]
    return Positivity(True, pieces)


def _evaluate(term: "Basic", symbol: "Basic", ball: "arb") -> "arb":
    with extras:
        import sympy
    from flint import arb, fmpq

    if term == symbol:
        return ball
    if term.is_Rational:
        return arb(fmpq(int(term.p), int(term.q)))
    parts = [_evaluate(part, symbol, ball) for part in term.args]
    if term.is_Add:
        return sum(parts[1:], parts[0])
    if term.is_Mul:
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if isinstance(term, sympy.exp):
        return parts[0].exp()
    if isinstance(term, sympy.log):
        return parts[0].log()
    if term.is_Pow and term.exp.is_Integer:
        product = arb(1) if parts[0].is_finite() else arb("nan")
        for _ in range(abs(int(term.exp))):
            # repeated products stay enclosures where Arb's power of an interval may not
            product = product * parts[0]
        return product if term.exp > 0 else 1 / product
    raise SolverError(f"expected sums, products, powers, exp and log of {symbol}, found {term}")


if TYPE_CHECKING:
    Quotient = tuple[fmpq_mpoly, fmpq_mpoly]


@dataclass(frozen=True)
class Identity:
    """Whether two rational functions are identical, and denominators that must not vanish."""

    holds: bool
    denominators: tuple[str, ...]


def identical(left: "Basic", right: "Basic") -> Identity:
    """Decide whether two sympy expressions are the same rational function.

    >>> import sympy
    >>> x, y = sympy.symbols("x y")
    >>> identical((x**2 - y**2) / (x - y), x + y)
    Identity(holds=True, denominators=('x - y',))

    Raises `SolverError` unless both are polynomials or quotients with rational coefficients.
    """
    from flint import Ordering, fmpq_mpoly_ctx

    names = sorted({symbol.name for side in (left, right) for symbol in side.free_symbols}) or ["unused"]
    converter = _Converter(fmpq_mpoly_ctx.get(names, Ordering.degrevlex), names)
    above, below = converter.quotient(left)
    other_above, other_below = converter.quotient(right)
    return Identity(above * other_below == other_above * below, tuple(sorted(converter.denominators)))


class _Converter:
    """Turn sympy expressions into quotients of polynomials of one ring."""

    def __init__(self, ring: "fmpq_mpoly_ctx", names: list[str]) -> None:
        self.ring = ring
        self.generators = dict(zip(names, ring.gens()))
        self.one = ring.constant(1)
        self.denominators: set[str] = set()

    def quotient(self, term: "Basic") -> "Quotient":
        """Return numerator and denominator."""
        from flint import fmpq

        if term.is_Symbol:
            return self.generators[term.name], self.one
        if term.is_Rational:
            return self.ring.constant(fmpq(int(term.p), int(term.q))), self.one
        if term.is_Add:
            return self._sum([self.quotient(part) for part in term.args])
        if term.is_Mul:
            above = below = self.one
            for part in term.args:
                up, down = self.quotient(part)
                above, below = above * up, below * down
            return above, below
        if term.is_Pow and term.exp.is_Integer:
            above, below = self.quotient(term.base)
            power = int(term.exp)
            if power >= 0:
                return above**power, below**power
            if term.base.free_symbols:
                self.denominators.add(str(term.base))
            if above.is_zero():
                raise SolverError(f"expected a denominator other than 0, found {term.base}")
            return below**-power, above**-power
        raise SolverError(f"expected a polynomial or a quotient with rational coefficients, found {term}")

    def _sum(self, parts: "list[Quotient]") -> "Quotient":
        above, below = parts[0]
        for up, down in parts[1:]:
            above, below = (above + up, below) if down == below else (above * down + up * below, below * down)
        return above, below


# What an argument is made of: its steps, and the verdicts that they add up to.


class ClaimVerdict(Enum):
    """What was found about a published claim.

    PROVED: the whole statement was checked by a kernel or a proof assistant. DERIVED: engines
    discharged a linked argument, whose statement is made of the same formulas. CHECKED: true of
    every member of a stated finite family. TRIED: the statement, as a program, held at every
    instance on which it was tried; the argument is prose. REFUTED: false at one exact instance.
    DEPENDS: the first reading holds, and others are false. OPEN: none of these. DEFINITION: nothing
    to decide.
    """

    PROVED = "PROVED"
    DERIVED = "DERIVED"
    CHECKED = "CHECKED"
    TRIED = "TRIED"
    REFUTED = "REFUTED"
    DEPENDS = "DEPENDS"
    OPEN = "OPEN"
    DEFINITION = "DEFINITION"


HOLDS = (ClaimVerdict.PROVED, ClaimVerdict.DERIVED, ClaimVerdict.CHECKED, ClaimVerdict.TRIED)
"""The verdicts that say that a reading is true, from the strongest to the weakest."""


@dataclass(frozen=True)
class Step:
    """One step of an argument.

    `formula` is what was decided, as sympy (typeset in reports) or text; `ok` whether it was
    discharged; `detail` what the engine said; `query` the SMT-LIB text where there is one;
    `evidence` a counterexample, or the model of the assumptions; `certificate` what the kernel
    accepted; `refuted` whether the engine found the formula false, which a near miss needs;
    `members` how many members a family has, with its first and its last; `judge` what says that a
    counterexample refutes the statement, `audited` what an audit says of it and of which level.
    """

    name: str
    kind: str
    sentence: str
    formula: "Basic"
    ok: bool
    trust: tuple[str, ...]
    seconds: float
    detail: str = ""
    checked: int = 0
    query: str | None = None
    evidence: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    refuted: bool = False
    members: str = ""
    judge: str = ""
    audited: str = ""


# Whether a formula decides anything: a conclusion that one of its hypotheses says does not.
#
# A step that says nothing new is refused, since the sentence beside it would carry the argument alone. Relations are
# compared up to rearrangement (`_Relation`), and letters that are compared may have a number to spare (a <= b + 1).
# Engines decide what needs a second hypothesis, such as the sign of a factor, and whether numbers are within bounds (x
# = 7/24 gives x < 3/10). A conclusion that says itself that two forms are equivalent, or one implies the other, is
# refused only if they are one form.


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
    if all(  # each is among what is known, or in every case of an "or"
        _said(part, known) or any(all(_said(part, known.of(case)) for case in cases) for cases in known.alternatives)
        for part in _conjuncts([conclusion])
    ):
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
            # say whether a number is > 0, >= 0, = 0 or != 0
            decided = {">": more > 0, ">=": more >= 0, "=": more == 0, "!=": more != 0}
            return bool(decided[sign])
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


def admit(*formulas: "Basic") -> None:
    """Raise `SolverError` unless symbols are plain, names unique, and numbers exact."""
    with extras:
        import sympy

    by_name: dict[str, object] = {}
    for formula in formulas:
        for symbol in getattr(formula, "free_symbols", ()):
            if not set(symbol._assumptions_orig) <= {"commutative", "real"} or isinstance(symbol, sympy.Dummy):
                raise SolverError(
                    f'expected plain symbols, found "{symbol}" with assumptions of its own: write them as hypotheses'
                )
            if by_name.setdefault(symbol.name, symbol) != symbol:
                raise SolverError(f'expected one symbol for one name, found two called "{symbol}"')
        if formula is not True and formula is not False and formula.atoms(sympy.Float):
            raise SolverError(f"expected exact numbers, found a float in {formula}")


def denominators(*formulas: object) -> "list[Basic]":
    """Return the expressions that are divided by, without the constants other than 0."""
    with extras:
        import sympy

    divisors = dict.fromkeys(
        power.base
        for formula in formulas
        for power in sympy.preorder_traversal(formula)
        if isinstance(power, sympy.Pow)
        and power.exp.is_number
        and power.exp.is_negative
        and (power.base.free_symbols or power.base.doit().is_zero)
    )
    return list(divisors)


def is_name(text: str) -> bool:
    """Whether a text can be the name of a letter: ASCII, and nothing that reads as more."""
    return text.isascii() and text.isidentifier()


_NAME = re.compile(r"[^\W\d]\w*")


def as_written(side: object, functions: "Sequence[str]" = ()) -> object:
    """Return one side of an identity: an expression as it is, or text read without simplifying it,
    every name a letter but for those of functions, `exp` and `log`.

    >>> (as_written("(a/p)/(b/q)") == as_written("(a/p)/(b/q)"), as_written("(a/p)/(b/q)") == as_written("a*q/(b*p)"))
    (True, False)

    Raises `SolverError` unless the text is an expression.
    """
    with extras:
        import sympy
        from sympy.parsing.sympy_parser import parse_expr

    if not isinstance(side, str):
        return sympy.sympify(side, strict=True)
    letters = {name: sympy.Symbol(name) for name in {*_NAME.findall(side)} - {*functions}}
    expect_letters(side, letters)
    try:
        expression = parse_expr(side, local_dict=letters, evaluate=False)
    except (SyntaxError, TypeError, ValueError, AttributeError) as error:
        raise SolverError(f'expected an expression, found "{side}"') from error
    if not isinstance(expression, sympy.Expr):
        raise SolverError(f'expected an expression, found "{side}"')
    return expression


def expect_letters(text: str, letters: Collection[str] = ()) -> None:
    """Raise `SolverError` unless a text that SymPy evaluates has no names but these letters, `exp`
    and `log`, no attributes and no texts: Python would find other names.
    """
    named = {*_NAME.findall(text)} <= {*letters, "exp", "log"}
    plain = normalize("NFKC", text) == text and "__" not in text  # as Python reads names
    if not named or not plain or re.search(r"""\.\s*[^\W\d]|["'\\[{]""", text):
        raise SolverError(f'expected an expression, found "{text:.60}"')


@cache
def evaluate_no_texts() -> None:
    """Let SymPy evaluate texts of numbers, letters, `exp` and `log` alone in this process: wherever
    it is given a text for an expression, it evaluates what stands there as Python.
    """
    with extras:
        from sympy.parsing import sympy_parser

        import_module("sympy.physics.units")  # printing imports it late; it has texts of its own

    whole = sympy_parser.parse_expr

    def parse_expr(s: str, local_dict: Mapping[str, object] | None = None, *given: object, **named: object) -> "Basic":
        expect_letters(s, local_dict or ())
        return whole(s, local_dict, *given, **named)

    sympy_parser.parse_expr = parse_expr


def at_values(formula: object, values: Mapping[object, object]) -> object:
    """Return the formula that an equation holds where letters have these values."""
    with extras:
        import sympy

    given = [sympy.Eq(x, value, evaluate=False) for x, value in _exact(values).items()]
    return sympy.Implies(sympy.And(*given, evaluate=False), formula, evaluate=False)


def gives_value(sides: "Sequence[Basic]", values: "Mapping[Basic, object]") -> bool:
    """Say whether an equation only repeats the value that a letter is given."""
    exact = _exact(values)
    one, other = (exact.get(side, side if side.free_symbols else side.doit()) for side in sides)
    return bool(values) and one == other


def put_in(side: "Basic", values: Mapping[object, object]) -> "Basic":
    """Put exact values for letters; raise `SolverError` if a denominator is 0 there."""
    exact = _exact(values)
    if zero := [
        denominator for denominator in denominators(side) if exact and denominator.subs(exact).is_zero is not False
    ]:
        raise SolverError(f"expected denominators other than 0, found {zero[0]} at these values")
    return side.subs(exact) if values else side


def reordered(side: "Basic") -> object:
    """Return an expression with every sum and product in one order, as nested texts."""
    with extras:
        import sympy

    if not isinstance(side, sympy.Add | sympy.Mul):
        return (type(side).__name__, *map(reordered, side.args)) if side.args else str(side)
    kind, neutral = type(side), str(side.identity)
    parts = [part for argument in side.args for part in (argument.args if isinstance(argument, kind) else (argument,))]
    texts = sorted((text for text in map(reordered, parts) if text != neutral), key=str)
    return texts[0] if len(texts) == 1 else (kind.__name__, *texts)


def _exact(values: Mapping[object, object]) -> "dict[Basic, Basic]":
    with extras:
        import sympy

    return {_letter(letter): sympy.Rational(str(value)) for letter, value in values.items()}


def _letter(letter: object) -> "Basic":
    with extras:
        import sympy

    return sympy.Symbol(letter) if isinstance(letter, str) else sympy.sympify(letter, strict=True)
