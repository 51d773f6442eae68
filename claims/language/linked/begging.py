"""Whether the definition of a letter says the conclusion in other letters.

"Let joint = a + b - (1 - c) a b. Then joint <= a + b" is true by how joint is defined: it says
nothing of what joint is called. Such a conclusion bounds a letter by one of two things: by given
letters alone, where the letter is defined by given letters alone; or by an expression that the
definition has as its terms, as a factor or in a minimum or maximum. An equality of two different
forms is no such bound, and neither is a bound by a number.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

_LONGEST = 60  # operations of an expression that is written out
_INEQUALITIES = (sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt)


def begging(then: Any, given: Collection[Any], lets: Mapping[Any, Any]) -> str | None:
    """Return the name of a letter whose definition says a conclusion, or None.

    Args:
        given: the letters that are given.
        lets: the letters that are defined by expressions, in order.

    >>> a, b, c, joint = sympy.symbols("a b c joint")
    >>> begging(joint <= a + b, {a, b, c}, {joint: a + b - (1 - c) * a * b})
    'joint'
    >>> begging(joint <= 1, {a, b}, {joint: a / (a + b)}) is None
    True
    """
    plain = {x: each for x, each in lets.items() if not each.has(AppliedUndef)}
    for relation in then.atoms(Relational):
        for letter, bound in _bounds(relation, plain.keys()):
            made, whole = _put(plain[letter], plain), _put(bound, plain)
            known = made.free_symbols | bound.free_symbols <= {*given}
            if bound.free_symbols and known and isinstance(relation, _INEQUALITIES):
                return str(letter)
            if whole.free_symbols and _has(made, whole):
                return str(letter)
    return None


def _bounds(relation: Any, letters: Collection[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield letters that a relation bounds, each with its bound: x - a <= b and x/(a + b) <= 1 are
    bounds of x.
    """
    for letter in sorted(relation.free_symbols & {*letters}, key=str):
        for side, other in (relation.args, relation.args[::-1]):
            numerator, denominator = sympy.fraction(side)
            free = other.free_symbols | denominator.free_symbols
            if (numerator / letter).is_number and not free & {*letters}:
                yield letter, denominator * other / (numerator / letter)
        terms = sympy.Add.make_args(relation.lhs - relation.rhs)
        (slope, rest) = (sympy.Add(*each) for each in _split(terms, letter))
        if slope.is_number and slope != 0 and letter not in rest.free_symbols:
            yield letter, -rest / slope


def _split(terms: Iterable[Any], letter: Any) -> tuple[list[Any], list[Any]]:
    """Return the factors of the terms that are numbers times a letter, and the other terms."""
    factors = {term: term / letter for term in terms}
    linear = [each for each in factors.values() if each.is_number]
    return linear, [term for term, each in factors.items() if not each.is_number]


def _put(expression: Any, lets: Mapping[Any, Any]) -> Any:
    """Put definitions for letters, and for those in the definitions."""
    for letter, made in reversed(list(lets.items())):
        expression = expression.xreplace({letter: made})
    return expression


def _has(made: Any, bound: Any) -> bool:
    """Whether an expression has another as some of its terms, as a factor, or in a minimum or
    maximum; two forms of one polynomial are the same.
    """
    if isinstance(made, sympy.Min | sympy.Max):
        return bound in made.args
    if max(made.count_ops(), bound.count_ops()) > _LONGEST:
        return False
    if not (made.is_polynomial() and bound.is_polynomial()):
        return False
    terms, of_bound = ({*sympy.Add.make_args(sympy.expand(each))} for each in (made, bound))
    return of_bound < terms or _divides(bound, made)


def _divides(one: Any, other: Any) -> bool:
    """Whether a polynomial divides another, and not by a number alone."""
    letters = sorted(one.free_symbols | other.free_symbols, key=str)
    quotient, rest = sympy.div(sympy.Poly(other, *letters), sympy.Poly(one, *letters))
    return bool(rest.is_zero and not quotient.is_ground)
