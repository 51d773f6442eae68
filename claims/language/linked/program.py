"""The program of a linked statement: instances with index sets of one to three values, numbers with
zeros, ties and extremes, and every sum and definition computed from them, exactly.

Powers of 2 stand for exp: exp(x) is 2^(k x), with a k at which these powers are rational. That is
exp for levels in other units, and all that lemmas here say of exp is true of it.
"""

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.linked.compiled import Compiled, Compiler, Table, UndefinedError
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction, listed
from pufferproof.claims.language.statements.statement import Instance, Predicate
from pufferproof.models.errors import SolverError

NUMBERS = listed("0 1 1/2 2 1/100 3 99/100 100 1/3 -1 -1/2 -3 -100")
CLOSE = listed("1 1 99/100 1/2 101/100 2")
LARGEST = 2000  # bits of a power of 2
GAP = sympy.Rational(1, 100)
_COMPARE = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt, "!=": operator.ne}
DEFINED = "nothing is divided by 0"
NO_HYPOTHESES = "it has no hypotheses: definitions and domains of letters are enough"


@dataclass(frozen=True)
class LinkedProgram(Statement):
    """A linked statement as what is tried on instances."""

    argument: Linked | None = None

    @property
    def always_is_written(self) -> bool:
        """Never: an argument without hypotheses has none to break."""
        return False

    @property
    def linked(self) -> Linked:
        """The argument."""
        if self.argument is None:
            raise SolverError("expected the program of a linked argument")
        return self.argument

    @property
    def speaks_of_exp(self) -> bool:
        """Whether its statement speaks of exp, and this program of powers of 2."""
        return any(each.has(AppliedUndef) for each in self.linked.lets.values())


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
        given={**{name: evaluator.asked(formula) for name, formula in given.items()}, DEFINED: evaluator.defined},
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
        self.sharper = _sharper(argument.then)
        self.sides = [
            sympy.Eq(side, side, evaluate=False)
            for each in argument.then.atoms(sympy.core.relational.Relational)
            for side in each.args
        ]
        self.names = [str(x) for x in argument.letters]
        self._plans: dict[int, tuple[Any, Sequence[int] | None, Compiled]] = {}
        self._held: Sequence[object] = ()  # the entries of an instance, and its tables
        self._tables: list[Table] = []

    @cached_property
    def code(self) -> Compiler:
        """What makes functions of formulas."""
        return Compiler(self.argument)

    @cached_property
    def powers(self) -> dict[int, int]:
        """The places of letters that are powers, each with that of its exponent."""
        makings, places = self.argument.definitions, self.code.places
        made = [x for x in self.argument.made_in(self.argument.stated) if self._is_power(x)]
        return {places[x]: places[makings[x].args[0]] for x in made}

    @cached_property
    def made(self) -> dict[int, Compiled]:
        """How the letters that are defined are made, by their places: those that are made of powers
        last.
        """
        every = self.argument.made_in(self.argument.stated)
        behind = [x for x in every if any(map(self._is_power, self.argument.made_in([x])))]
        made = {place: _power(each, [*self.powers.values()]) for place, each in self.powers.items()}
        first = _makings([x for x in every if x not in behind], self.code, self.powers)
        return first | made | _makings(behind, self.code, self.powers)

    @cached_property
    def drawn(self) -> list["_Given"]:
        """The letters that are given, in the order in which they are drawn."""
        near = self.argument.near
        every = [_Given(x, self.argument, self.code, self.powers) for x in self.argument.letters]
        order = [each for each in near if each in self.argument.letters]
        later = [every[self.code.places[each]] for each in order]
        return [*(each for each in every if each not in later), *later]

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
        tables: list[Table] = [{} for _ in self.code.places]
        exact, below = bool(argument.near) and draws.whether(), draws.below
        for letter in self.drawn:
            allowed = letter.numbers
            count = len(allowed)
            same = draws.among(allowed) if below(4) == 0 else None
            places = [*product(*[range(sizes[each]) for each in letter.indices])]
            tables[letter.place] = found = dict.fromkeys(places, same)
            if same is None:
                found.update(zip(places, [allowed[k] for k in draws.many(count, len(places))]))
            if letter.near is not None and (exact or below(4)):
                factors = [Fraction(1)] if exact or draws.whether() else CLOSE
                for place, values in letter.near_values(tables, sizes):
                    value = max(values) * draws.among(factors)
                    if letter.allows(value):
                        found[place] = value
        return {**dict(zip(self.names, tables)), "sizes": sizes}

    def conclusion(self, sharper: bool = False, **at: Any) -> bool:
        """Whether the conclusion holds at every value of its indices."""
        asked = self.sharper if sharper else self.argument.then
        return self._completed(at) and self._holds(asked, at)

    def defined(self, **at: Any) -> bool:
        """Whether the conclusion divides by 0 nowhere: elsewhere it is neither true nor false."""
        return self._completed(at) and all(self._holds(each, at) for each in self.sides)

    def asked(self, formula: Any) -> Predicate:
        """Return whether a hypothesis holds at every value of its indices; where one does not, most
        letters that are defined are not needed.
        """
        return lambda **at: self._holds(formula, at) and self._completed(at)

    def _holds(self, formula: Any, at: Mapping[str, Any]) -> bool:
        _, needed, function = self._plans.get(id(formula)) or self._planned(formula)
        if needed is None and not self._completed(at):
            return False
        tables, sizes = self._at(at), at["sizes"]
        try:
            self._make(needed or (), tables, sizes)
            return bool(function(tables, sizes))
        except ZeroDivisionError:
            return False

    def _planned(self, formula: Any) -> tuple[Any, Sequence[int] | None, Compiled]:
        """Return a formula, the places of letters that are made for it, None for all, and it as a
        function: by identity, as formulas take long to compare.
        """
        needed = [self.code.places[x] for x in self.argument.made_in([formula])]
        alone = None if self.powers.keys() & {*needed} else needed
        return self._plans.setdefault(id(formula), (formula, alone, self.code.everywhere(formula)))

    def _at(self, at: Mapping[str, Any]) -> list[Table]:
        """Return the tables of letters at an instance, empty for those that are not made yet."""
        held = [*at.values()]
        if len(held) != len(self._held) or not all(map(operator.is_, held, self._held)):
            self._held = held
            self._tables = [{} for _ in self.code.places]
            self._tables[: len(self.names)] = [at[name] for name in self.names]
        return self._tables

    def _completed(self, at: Mapping[str, Any]) -> bool:
        """Make all letters that are defined; return whether each is at this instance."""
        try:
            self._make(self.made, self._at(at), at["sizes"])
        except ZeroDivisionError:
            return False
        return True

    def _make(self, places: Iterable[int], tables: list[Table], sizes: Mapping[str, int]) -> None:
        for place in places:
            if not tables[place]:
                tables[place] = self.made[place](tables, sizes)

    def _is_power(self, x: Any) -> bool:
        made = self.argument.lets.get(x)
        return made is not None and bool(made.has(AppliedUndef))


def _power(exponent: int, exponents: Sequence[int]) -> Compiled:
    """Return how powers of 2 are made: those of one letter, with one unit for all exponents."""

    def made(tables: Sequence[Table], _: Mapping[str, int]) -> Table:
        every = [value for place in exponents for value in tables[place].values()]
        unit = lcm(*(each.denominator for each in every))
        if any(abs(each * unit) > LARGEST for each in every):
            raise UndefinedError
        return {at: Fraction(2) ** int(value * unit) for at, value in tables[exponent].items()}

    return made


def _makings(letters: Sequence[Letter], code: Compiler, powers: Mapping[int, int]) -> dict[int, Compiled]:
    """Return how letters that are no powers are made, by their places."""
    places = {code.places[x]: x for x in letters}
    return {place: code.made(x) for place, x in places.items() if place not in powers}


class _Given:
    """A letter that is given: its place and indices, numbers of its domain, and what it is near."""

    def __init__(self, letter: Letter, argument: Linked, code: Compiler, powers: Mapping[int, int]) -> None:
        self.place, self.indices = code.places[letter], argument.letters[letter]
        self._bounds = [(_COMPARE[x.relation], Fraction(x.number)) for x in letter.bounds]
        self.numbers = [n for n in NUMBERS if self.allows(n)] or [self._inside()]
        self.near = argument.near.get(letter)
        if self.near is not None:
            made = argument.made_in([self.near])
            self._made = _makings(made, code, powers)
            self._powers: Mapping[int, int] = {}
            if not powers.keys().isdisjoint(code.places[x] for x in made):  # all have one unit
                self._powers = powers
                exponents = argument.made_in([code.letters[each] for each in powers.values()])
                self._exponents = _makings(exponents, code, powers)
            self._values = code.near(letter, self.near)

    def allows(self, number: Any) -> bool:
        """Whether a number is in the domain."""
        return all(compare(number, bound) for compare, bound in self._bounds)

    def near_values(
        self, tables: Sequence[Table], sizes: Mapping[str, int]
    ) -> Iterator[tuple[tuple[int, ...], list[Any]]]:
        """Yield the values of what it is near that are defined, where there are some."""
        known = [*tables]
        if self._powers:
            with suppress(ZeroDivisionError, KeyError):
                for place, make in self._exponents.items():
                    known[place] = make(known, sizes)
                exponents = [*self._powers.values()]
                if all(known[place] for place in exponents):
                    for place, each in self._powers.items():
                        known[place] = _power(each, exponents)(known, sizes)
        for place, make in self._made.items():
            if not known[place]:
                with suppress(ZeroDivisionError, KeyError):
                    known[place] = make(known, sizes)
        yield from ((at, values) for at, values in self._values(known, sizes).items() if values)

    def _inside(self) -> Any:
        """A number of a domain that has none of the usual ones."""
        ends = [bound for _, bound in self._bounds]
        tried = [*ends, sum(ends) / len(ends), min(ends) - 1, max(ends) + 1]
        return next(each for each in tried if self.allows(each))


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
