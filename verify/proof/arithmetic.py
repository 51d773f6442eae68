"""Identities between rational functions with rational coefficients, decided by exact polynomial
arithmetic (python-flint).

An expression is turned into a numerator and a denominator in Q[x_1 .. x_k]; two expressions are
identical iff the cross products agree. That holds wherever no denominator vanishes, and the
denominators are reported as the condition.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import SolverError, extras

if TYPE_CHECKING:
    from flint import arb, fmpq_mpoly, fmpq_mpoly_ctx
    from sympy import Basic

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

    def quotient(self, term: "Basic") -> tuple[Any, Any]:
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
            if above == 0:
                raise SolverError(f"expected a denominator other than 0, found {term.base}")
            return below**-power, above**-power
        raise SolverError(f"expected a polynomial or a quotient with rational coefficients, found {term}")

    def _sum(self, parts: "list[Quotient]") -> "Quotient":
        above, below = parts[0]
        for up, down in parts[1:]:
            above, below = (above + up, below) if down == below else (above * down + up * below, below * down)
        return above, below
