"""Letters of formulas: each stands for one thing in a file, and has a domain, a set of bounds.

A letter is a sympy symbol that carries its meaning and its bounds, so that they go wherever it
goes. Bounds are numbers: what relates two letters is a hypothesis, and is written as one. The
domain of a letter is assumed in every step in which it occurs (`proof.py`), and is part of the
formula that is decided and shown.
"""

import operator
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import sympy
from sympy.printing.conventions import split_super_sub

from pufferproof.models.errors import ModelError

_RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "!=": sympy.Ne,
}
_ENDS = re.compile(r"[;!?\n]|[^.\s]\.(\s+[^(]|\s*$)")  # "eq. (2)" and "y_1 .. y_k" end nothing
_CAPITALS = "Alpha:A Beta:B Epsilon:E Zeta:Z Eta:H Iota:I Kappa:K Mu:M Nu:N Rho:P Tau:T Chi:X"
_SAME = dict(pair.split(":") for pair in f"eps:epsilon varepsilon:epsilon {_CAPITALS}".split())
"""Names that pages set like other ones."""
_DECLARED = "__letters__"  # in the globals of a file: its letters by name


@dataclass(frozen=True)
class Bound:
    """One condition on a letter: a relation to a number."""

    relation: str
    number: Fraction

    def of(self, symbol: Any) -> Any:
        """Return the condition on this symbol, a formula."""
        number = sympy.Rational(self.number.numerator, self.number.denominator)
        return _RELATIONS[self.relation](symbol, number)


class Letter(sympy.Symbol):  # type: ignore[misc]
    """A real variable that stands for one thing; another meaning or domain is another letter."""

    __slots__ = ("bounds", "meaning")
    bounds: tuple[Bound, ...]
    meaning: str

    def __new__(cls, name: str, meaning: str = "", bounds: Iterable[Bound] = (), **assumptions: bool) -> "Letter":
        """Return the letter; `real=True` is the one assumption that engines admit of symbols."""
        made = cast("Letter", sympy.Symbol.__xnew__(cls, name, **assumptions))
        made.meaning, made.bounds = meaning, tuple(bounds)
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, bool]]:
        return (self.name, self.meaning, self.bounds), dict(self._assumptions_orig)

    def _hashable_content(self) -> tuple[object, ...]:
        return (*super()._hashable_content(), self.meaning, self.bounds)

    @property
    def domain(self) -> tuple[Any, ...]:
        """The conditions on this letter, as formulas."""
        return tuple(bound.of(self) for bound in self.bounds)

    @property
    def domain_text(self) -> str:
        """The domain in one line, empty if the letter is any real number."""
        return ", ".join(f"{self.name} {each.relation} {each.number}" for each in self.bounds)


def letter(name: str, meaning: str, *bounds: Bound | tuple[Bound, ...], **assumptions: bool) -> Any:
    """Declare a letter of this file, at its top: what it stands for, and its domain.

    >>> ratio = letter("R", "e to the level", at_least(1))
    >>> ratio.domain
    (R >= 1,)

    Raises `ModelError` if the letter means something else in this file, if no number is in its
    domain, or if it is declared inside a function.
    """
    return _declare(sys._getframe(1), name, meaning, bounds, assumptions)


def letters(names: str, meaning: str, *bounds: Bound | tuple[Bound, ...], **assumptions: bool) -> tuple[Any, ...]:
    """Declare several letters of one domain; `meaning` says what each stands for.

    >>> m, n = letters("m n", "sums over the first databases, under mu and nu", at_least(0))

    Raises `ModelError` if the names are fewer than two, and where `letter` does.
    """
    if len(names.split()) < 2:
        raise ModelError(f'expected several letters, found "{names}": declare one by letter(..)')
    frame = sys._getframe(1)
    return tuple(_declare(frame, name, meaning, bounds, assumptions) for name in names.split())


def at_least(number: int | str | Fraction) -> Bound:
    """Bound a letter from below."""
    return Bound(">=", Fraction(number))


def above(number: int | str | Fraction) -> Bound:
    """Bound a letter from below, strictly."""
    return Bound(">", Fraction(number))


def at_most(number: int | str | Fraction) -> Bound:
    """Bound a letter from above."""
    return Bound("<=", Fraction(number))


def below(number: int | str | Fraction) -> Bound:
    """Bound a letter from above, strictly."""
    return Bound("<", Fraction(number))


def between(low: int | str | Fraction, high: int | str | Fraction) -> tuple[Bound, Bound]:
    """Bound a letter from both sides; the ends belong to the domain."""
    return at_least(low), at_most(high)


def other_than(number: int | str | Fraction) -> Bound:
    """Exclude a number."""
    return Bound("!=", Fraction(number))


def domains(formulas: Iterable[object]) -> list[Any]:
    """Return the domains of the letters that occur in formulas."""
    return [bound for each in occurring(formulas) for bound in each.domain]


def occurring(formulas: Iterable[object]) -> list[Letter]:
    """Return the letters that occur in formulas, by name; text has none."""
    symbols = {each for formula in formulas for each in getattr(formula, "free_symbols", ())}
    return sorted((each for each in symbols if isinstance(each, Letter)), key=lambda each: each.name)


def letters_of(file: Mapping[str, object]) -> Iterator[Letter]:
    """Yield the letters of a file, from its globals: those that it declares and imports."""
    for value in list(file.values()):
        yield from _inside(value)


def agreeing(letters: Iterable[Letter]) -> None:
    """Raise `ModelError` if two letters have one name and different meanings or domains."""
    named: dict[str, Letter] = {}
    for each in letters:
        if named.setdefault(each.name, each) != each:
            raise ModelError(two_meanings(named[each.name], each))


def two_meanings(one: Letter, other: Letter) -> str:
    """Say that a name stands for two things."""
    return f'the letter "{one.name}" has two meanings: {_said(one)}; and {_said(other)}'


def _said(each: Letter) -> str:
    return f'"{each.meaning}" ({each.domain_text or "any real number"})'


def _inside(value: object) -> Iterator[Letter]:
    if isinstance(value, Letter):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _inside(each)
    elif isinstance(value, dict) and all(isinstance(each, Letter) for each in value.values()):
        yield from value.values()


def _declare(
    frame: Any, name: str, meaning: str, bounds: Iterable[Bound | tuple[Bound, ...]], assumptions: Mapping[str, bool]
) -> Letter:
    if frame.f_code.co_name != "<module>":
        raise ModelError(f'expected the letter "{name}" to be declared at the top of a file')
    if unknown := [each for each in assumptions.items() if each != ("real", True)]:
        raise ModelError(
            f'expected real=True as the one assumption on the letter "{name}", found '
            f"{unknown[0][0]}={unknown[0][1]}: write its domain, such as at_least(0)"
        )
    flat = [each for bound in bounds for each in (bound if isinstance(bound, tuple) else (bound,))]
    made = lone_letter(name, meaning, flat, **assumptions)
    known: dict[str, Letter] = frame.f_globals.setdefault(_DECLARED, {})
    if known.setdefault(name, made) != made:
        raise ModelError(two_meanings(known[name], made))
    return made


def lone_letter(name: str, meaning: str, bounds: Iterable[Bound], **assumptions: bool) -> Letter:
    """Return a letter that no file declares. Raises `ModelError` if no number is in its domain, or
    its meaning is no name.
    """
    expect_name(f'the letter "{name}"', meaning)
    made = Letter(name, meaning, bounds, **assumptions)
    if not _possible(made):
        raise ModelError(f'no number is in the domain of the letter "{name}": {made.domain_text}')
    return made


def expect_name(what: str, meaning: str) -> None:
    """Raise `ModelError` unless a meaning is text that can stand in brackets inside a sentence, and
    ends neither the brackets nor the sentence.
    """
    if not meaning.strip():
        raise ModelError(f"expected what {what} stands for, found nothing")
    depth = 0
    for sign in meaning:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            break
    if depth or _ENDS.search(meaning):
        raise ModelError(
            f'expected a name for {what}, without ";", an end of a sentence or half of a pair of '
            f'brackets, found "{meaning}"'
        )


def look_alike(shown: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    """Return why pages do not tell letters apart, shown by a name and indices: x1 is set as x_1,
    p_x as p[x], eps as epsilon, sum_x as the sign of a sum. Nothing if they do.
    """
    looks = dict[tuple[str, str], str]()
    for letter, (name, indices) in shown.items():
        one, above, below = split_super_sub(name)
        if one in ("sum", "prod") and below:
            return f'pages set the letter "{letter}" as the sign of a sum or product'
        look = (_SAME.get(one, one), "^".join(above) + "_" + "".join([*below, *indices]))
        other = looks.setdefault(look, letter)
        if shown[other] != (name, indices):
            return f'the letters "{other}" and "{letter}" look alike on a page'
    return ""


def _possible(each: Letter) -> bool:
    """Say whether some number is in the domain: numbers at the bounds, between and beyond them."""
    ends = sorted({bound.number for bound in each.bounds})
    middles = [(one + other) / 2 for one, other in pairwise(ends)]
    outside = [ends[0] - 1, ends[-1] + 1] if ends else [Fraction(0)]
    compare = {**_RELATIONS, "!=": operator.ne}
    return any(
        all(compare[bound.relation](number, bound.number) for bound in each.bounds)
        for number in (*ends, *middles, *outside)
    )
