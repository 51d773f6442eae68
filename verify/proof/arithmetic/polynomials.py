"""Identities between rational functions with rational coefficients, decided by exact polynomial
arithmetic (python-flint).

An expression is turned into a numerator and a denominator in Q[x_1 .. x_k]; two expressions are
identical iff the cross products agree. That holds wherever no denominator vanishes, and the
denominators are reported as the condition.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import SolverError

if TYPE_CHECKING:
    from flint import fmpq_mpoly, fmpq_mpoly_ctx
    from sympy import Basic

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
