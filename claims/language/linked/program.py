"""The program of a linked statement: instances with index sets of one to three values, numbers with
zeros, ties and extremes, and every sum and definition computed from them, exactly.

Powers of 2 stand for exp: exp(x) is 2^(k x), with a k at which these powers are rational. That is
exp for levels in other units, and all that lemmas here say of exp is true of it.
"""

import operator
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import lcm
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.linked.compiled import UndefinedError, compiled
from pufferproof.claims.language.linked.made import Before, Copy, Extreme, Fold
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction, listed
from pufferproof.claims.language.statements.statement import Instance, Predicate
from pufferproof.models.errors import SolverError

NUMBERS = listed("0 1 1/2 2 1/100 3 99/100 100 1/3 -1 -1/2 -3")
CLOSE = listed("1 1 99/100 1/2 101/100 2")
LARGEST = 2000  # bits of a power of 2
GAP = sympy.Rational(1, 100)
DEFINED = "nothing is divided by 0"
NO_HYPOTHESES = "it has no hypotheses: definitions and domains of letters are enough"


@dataclass(frozen=True)
class LinkedProgram(Statement):
    """A linked statement as what is tried on instances."""

    argument: Linked | None = None

    @property
    def linked(self) -> Linked:
        """The argument."""
        if self.argument is None:
            raise SolverError("expected the program of a linked argument")
        return self.argument


def program(argument: Linked) -> LinkedProgram:
    """Return the statement as what runs; its near misses are the conclusion with a gap of one part
    in a hundred, or of 1/100 where a side is a number, and the statement without each of its
    hypotheses.
    """
    evaluator = _Evaluator(argument)
    given = argument.hypotheses
    sharp = "the conclusion by one part in a hundred sharper"
    return LinkedProgram(
        family=evaluator.family,
        holds=evaluator.conclusion,
        given={
            **{name: evaluator.asked(formula) for name, formula in given.items()},
            DEFINED: evaluator.defined,
        },
        too_strong={sharp: {"sharper": True}},
        too_weak=[name for name in given if name not in argument.spare],
        always="" if given else NO_HYPOTHESES,
        argument=argument,
    )


class _Evaluator:
    """Evaluates formulas of a linked argument at an instance: for every letter that is given its
    values by those of its indices, and for each index how many values it has.
    """

    def __init__(self, argument: Linked) -> None:
        self.argument = argument
        self.made = argument.made_in([*argument.hypotheses.values(), argument.then])
        self.orders = {x: argument.order_of(x) for x in (*argument.letters, *argument.definitions)}
        powers = {x: made.args[0] for x, made in argument.lets.items() if made.has(AppliedUndef)}
        self.powers = {x: each for x, each in powers.items() if x in self.made}
        self.exponents = argument.made_in([*self.powers.values()])
        self.of_powers = {x for x in self.made if {*argument.made_in([x])} & self.powers.keys()}
        self.sharper = _sharper(argument.then)
        self.sides = [
            sympy.Eq(side, side, evaluate=False)
            for each in argument.then.atoms(sympy.core.relational.Relational)
            for side in each.args
        ]
        self.names = {x: str(x) for x in argument.letters}
        self._plans: dict[int, tuple[Any, Sequence[Any], Any]] = {}
        self._last: tuple[object, ...] = ()
        self._values: dict[Any, dict[tuple[int, ...], Any]] = {}

    def family(self, draws: Draws) -> Instance:
        """Every index has one to three values, of more than three indices only one has three; every
        letter has numbers of its domain: zeros, ties, 1/100, 99/100 and 100 among them, or numbers
        at which hypotheses are met exactly; seldom a number outside its domain.
        """
        argument = self.argument
        indices = [*argument.indices]
        longest = indices if len(indices) <= 3 else [draws.among(indices)]
        sizes = {index: 1 + draws.below(2 + (index in longest)) for index in indices}
        sizes |= {index: sizes[first] for index, first in argument.same.items()}
        found: dict[Any, dict[tuple[int, ...], Any]] = {}
        exact = bool(argument.near) and draws.whether()
        later = [each for each in argument.near if each in argument.letters]
        for letter in [*(x for x in argument.letters if x not in later), *later]:
            allowed = _domain(letter)
            places = list(product(*(range(sizes[each]) for each in argument.letters[letter])))
            same = draws.among(allowed) if draws.below(4) == 0 else None
            found[letter] = {
                place: draws.among(allowed) if same is None else same for place in places
            }
            if letter in later and (exact or draws.below(4)):
                factors = [Fraction(1)] if exact or draws.whether() else CLOSE
                self._put_near(letter, found, sizes, partial(draws.among, factors))
        entries = {name: found[each] for each, name in self.names.items()}
        return {**entries, "sizes": sizes}

    def _put_near(self, letter: Any, found: dict[Any, Any], sizes: Any, factor: Any) -> None:
        near, made, more = _made_by(self.argument, letter)
        values = dict(found)
        if not self.powers.keys().isdisjoint(made):  # all powers have one unit
            with suppress(UndefinedError, KeyError):
                for x in self.exponents:
                    values[x] = self._all(x, values, sizes)
                values |= self._powers(values)
        for x in made:
            if x not in values and x not in self.powers:
                with suppress(UndefinedError, KeyError):
                    values[x] = self._all(x, values, sizes)
        mine = self.argument.letters[letter]
        for place in found[letter]:
            found_here = []
            for further in product(*(range(sizes[each]) for each in more)):
                at = {**dict(zip(mine, place)), **dict(zip(more, further))}
                with suppress(UndefinedError, KeyError):
                    found_here.append(self._computed(near, values, sizes, at))
            if found_here:
                value = max(found_here) * factor()
                if _allowed(letter, value):
                    found[letter][place] = value

    def conclusion(self, sharper: bool = False, **at: Any) -> bool:
        """Whether the conclusion holds at every value of its indices."""
        return self._everywhere(self.sharper if sharper else self.argument.then, at)

    def defined(self, **at: Any) -> bool:
        """Whether the conclusion divides by 0 nowhere: elsewhere it is neither true nor false."""
        return all(self._everywhere(each, at) for each in self.sides)

    def asked(self, formula: Any) -> Predicate:
        """Return whether a hypothesis holds at every value of its indices."""
        return lambda **at: self._everywhere(formula, at)

    def _everywhere(self, formula: Any, at: Mapping[str, Any]) -> bool:
        sizes = at["sizes"]
        values = self._completed(at)
        if values is None:
            return False
        indices = _indices(self.argument, formula)
        try:
            return all(
                bool(self._computed(formula, values, sizes, dict(zip(indices, place))))
                for place in product(*(range(sizes[each]) for each in indices))
            )
        except UndefinedError:
            return False

    def _completed(self, at: Mapping[str, Any]) -> dict[Any, Any] | None:
        """Return the values of all letters, those that are defined computed; None if one cannot."""
        key = tuple(map(id, at.values()))
        if key != self._last or self._kept is not at.get("sizes"):
            values = {each: at[name] for each, name in self.names.items()}
            try:
                self._define(values, at["sizes"])
            except UndefinedError:
                values = {}
            self._last, self._kept, self._values = key, at.get("sizes"), values
            self._held = list(at.values())  # so that no other object gets the same identity
        return self._values or None

    _kept: object = None
    _held: Sequence[object] = ()

    def _define(self, values: dict[Any, Any], sizes: Mapping[str, int]) -> None:
        for x in self.made:
            if x not in self.of_powers:
                values[x] = self._all(x, values, sizes)
        values |= self._powers(values)
        for x in self.made:
            if x not in values:
                values[x] = self._all(x, values, sizes)

    def _powers(self, values: Mapping[Any, Any]) -> dict[Any, dict[tuple[int, ...], Any]]:
        """Return the values of letters that are exp of others, as powers of 2."""
        exponents = {x: values[each] for x, each in self.powers.items()}
        every = [v for by in exponents.values() for v in by.values()]
        unit = lcm(*(each.denominator for each in every))
        if any(abs(each * unit) > LARGEST for each in every):
            raise UndefinedError
        return {
            x: {place: Fraction(2) ** int(v * unit) for place, v in by.items()}
            for x, by in exponents.items()
        }

    def _all(self, x: Any, values: Any, sizes: Mapping[str, int]) -> dict[tuple[int, ...], Any]:
        indices = self.orders[x]
        return {
            place: self._one(x, values, sizes, dict(zip(indices, place)))
            for place in product(*(range(sizes[each]) for each in indices))
        }

    def _one(self, x: Any, values: Any, sizes: Any, at: dict[str, int]) -> Any:
        made = self.argument.definitions[x]
        if isinstance(made, Copy):
            return self._computed(made.of, values, sizes, {**at, made.over: at[made.to]})
        if isinstance(made, Extreme):
            every = [{**at, made.over: place} for place in range(sizes[made.over])]
            pick = max if made.kind == "largest" else min
            return pick(self._computed(made.term, values, sizes, each) for each in every)
        last = None
        if isinstance(made, Before):
            x, made = made.of, self.argument.definitions[made.of]
            last = at[made.over]
        if not isinstance(made, Fold):
            return self._computed(made, values, sizes, at)
        total = self._computed(made.start, values, sizes, at)
        for place in range(sizes[made.over] if last is None else last):
            total = self._computed(
                made.following, values, sizes, {**at, made.over: place}, so_far={x: total}
            )
        return total

    def _computed(
        self, formula: Any, values: Any, sizes: Any, at: Mapping[str, int], so_far: Any = None
    ) -> Any:
        _, parts, function = self._plans.get(id(formula)) or self._planned(formula)
        if so_far is None:
            found = [values[x][tuple([at[each] for each in indices])] for x, indices in parts]
        else:
            found = [
                so_far[x] if x in so_far else values[x][tuple([at[each] for each in indices])]
                for x, indices in parts
            ]
        try:
            return function(*found)
        except ZeroDivisionError as error:
            raise UndefinedError from error

    def _planned(self, formula: Any) -> tuple[Any, Sequence[Any], Any]:
        """Return a formula, its letters with their indices, and it as a function of their values:
        by identity, as formulas take long to compare.
        """
        letters, function = compiled(formula)
        plan = formula, [(x, self.orders[x]) for x in letters], function
        return self._plans.setdefault(id(formula), plan)


@cache
def _domain(letter: Any) -> Sequence[Any]:
    return [n for n in NUMBERS if _allowed(letter, n)] or [_inside(letter)]


@cache
def _made_by(argument: Linked, letter: Any) -> tuple[Any, list[Any], list[str]]:
    """What a letter is near, the letters of which this is made, and its further indices."""
    near = argument.near[letter]
    return (
        near,
        argument.made_in([near]),
        sorted(argument.indices_of(near) - {*argument.letters[letter]}),
    )


@cache
def _indices(argument: Linked, formula: Any) -> list[str]:
    return sorted(argument.indices_of(formula))


def _allowed(letter: Any, number: Any) -> bool:
    compare = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
    return all(
        number != each.number
        if each.relation == "!="
        else compare[each.relation](number, Fraction(each.number))
        for each in letter.bounds
    )


def _inside(letter: Any) -> Any:
    """A number of a domain that has none of the usual ones."""
    ends = [Fraction(each.number) for each in letter.bounds]
    tried = [*ends, sum(ends) / len(ends), min(ends) - 1, max(ends) + 1]
    return next(each for each in tried if _allowed(letter, each))


def _sharper(formula: Any) -> Any:
    """The conclusion with a gap of one part in a hundred of the larger side, whatever its sign, or
    of 1/100 where a side is a number; an equation with it left out on one side.
    """
    if isinstance(formula, sympy.And | sympy.Or):
        return formula.func(*map(_sharper, formula.args), evaluate=False)
    if isinstance(formula, sympy.Implies):
        return sympy.Implies(formula.args[0], _sharper(formula.args[1]), evaluate=False)
    if isinstance(formula, sympy.Not):
        return formula
    small, large = formula.args
    if isinstance(formula, sympy.Ge | sympy.Gt):
        small, large = large, small
    if isinstance(formula, sympy.Eq):
        small, large = _moved(small, large)
        if 0 in (small, large):
            return sympy.Eq(small + GAP, large, evaluate=False)
        return sympy.Eq(small * (1 - GAP), large, evaluate=False)
    if small.is_number or large.is_number:
        return sympy.Le(small + GAP, large, evaluate=False)
    ends = (sympy.Le(small, large * (1 + sign * GAP), evaluate=False) for sign in (-1, 1))
    return sympy.And(*ends, evaluate=False)


def _moved(left: Any, right: Any) -> tuple[Any, Any]:
    """The sides of an equation, with negative terms moved where a side is 0: x - y = 0 is x = y."""
    if 0 not in (left, right):
        return left, right
    terms = sympy.Add.make_args(right if left == 0 else left)
    negative = [each for each in terms if each.could_extract_minus_sign()]
    return sympy.Add(*(each for each in terms if each not in negative)), -sympy.Add(*negative)
