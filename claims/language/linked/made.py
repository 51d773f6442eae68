"""The letters of linked arguments, how those that are defined are made, and what a fact is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from keyword import iskeyword
from typing import Any, NoReturn

import sympy
from sympy.logic.boolalg import Boolean

from pufferproof.claims.language.letters import Letter, expect_name
from pufferproof.models.errors import ModelError
from pufferproof.verify.proof.formulas import denominators, is_name


@dataclass(frozen=True)
class Fold:
    """A letter that is made along an index: it starts at `start`, and each value of the index
    makes `following` of it, in which the letter itself is what there is so far.
    """

    kind: str
    over: str
    start: Any
    following: Any
    term: Any = None

    @property
    def made_of(self) -> set[Any]:
        """The letters in it, with the letter itself."""
        return set(self.start.free_symbols | self.following.free_symbols)

    def put(self, put: Mapping[Any, Any]) -> "Fold":
        """Return it with expressions for letters."""
        term = None if self.term is None else self.term.xreplace(put)
        start, following = self.start.xreplace(put), self.following.xreplace(put)
        return Fold(self.kind, self.over, start, following, term)


@dataclass(frozen=True)
class Extreme:
    """A letter that is the largest or the least of the terms over an index."""

    kind: str
    over: str
    term: Any

    @property
    def made_of(self) -> set[Any]:
        """The letters in it."""
        return set(self.term.free_symbols)

    def put(self, put: Mapping[Any, Any]) -> "Extreme":
        """Return it with expressions for letters."""
        return Extreme(self.kind, self.over, self.term.xreplace(put))


@dataclass(frozen=True)
class Copy:
    """A letter that is another one with one index at the value of a second index."""

    of: Any
    over: str
    to: str

    @property
    def made_of(self) -> set[Any]:
        """The letter that is taken at another value."""
        return {self.of}

    def put(self, put: Mapping[Any, Any]) -> "Copy":
        """Return it with expressions for letters."""
        return Copy(self.of.xreplace(put), self.over, self.to)


@dataclass(frozen=True)
class Before:
    """A letter that says, at each value of the index along which `of` is made, what there is of it
    before that value.
    """

    of: Any

    @property
    def made_of(self) -> set[Any]:
        """The letter that is being made."""
        return {self.of}

    def put(self, put: Mapping[Any, Any]) -> "Before":
        """Return it with expressions for letters."""
        return Before(self.of.xreplace(put))


@dataclass(frozen=True)
class Moving:
    """Letters that are functions of what is made along an index: for each the three letters that it
    is at the start, before each value of the index, and after it.
    """

    along: Any
    before: Any
    letters: Mapping[Any, tuple[Any, Any, Any]]

    def images(self, moment: int) -> dict[Any, Any]:
        """The letters at one of the three moments."""
        return {x: each[moment] for x, each in self.letters.items()}


@dataclass(frozen=True)
class Fact:
    """One fact: its formula, the rule by which it is known, and the facts that it uses.

    `over` is the index of a rule that has one, `of` the letter; `lemma` is what is put in, with
    `put` for its letters.
    """

    name: str
    rule: str
    formula: Any
    uses: tuple[str, ...] = ()
    over: str = ""
    of: Any = None
    lemma: Any = None
    put: Mapping[Any, Any] = field(default_factory=dict)


Made = Fold | Extreme | Copy | Before


class Letters:
    """The letters of an argument: those that are given, each with its indices, and those that are
    defined of earlier ones.
    """

    def __init__(self, about: str, indices: Mapping[str, str], letters: Mapping[Letter, str]):
        self.about, self.indices = about, dict(indices)
        self.letters = {each: tuple(text.split()) for each, text in letters.items()}
        self.same = {j: i for j, i in self.indices.items() if i in self.indices}
        self.definitions: dict[Letter, Any] = {}  # in order: `Made`, or an expression
        self.movings: list[Moving] = []
        self.then: Any = None
        for index, meaning in self.indices.items():
            expect_name(f'the index "{index}"', meaning)
        for name in (*self.indices, *(each.name for each in self.letters)):
            self._is_name(name)
        for each, its in self.letters.items():
            if unknown := set(its) - set(self.indices):
                self._refuse(f'"{each}" has the index "{min(unknown)}", which is not one')
        if deep := [j for j, i in self.same.items() if i in self.same]:
            self._refuse(f'the index "{deep[0]}" must be a second value of one that has a meaning')
        names = [each.name for each in self.letters]
        if twice := [name for name in names if names.count(name) > 1]:
            self._refuse(f'two letters are called "{twice[0]}"')
        if both := [name for name in names if name in self.indices]:
            self._refuse(f'a letter and an index are called "{both[0]}"')

    def _is_name(self, name: str) -> None:
        if not is_name(name) or iskeyword(name):
            self._refuse(f'expected a name of ASCII letters for an index or letter, found "{name}"')

    def sum(self, letter: Letter, over: str, term: Any) -> Letter:
        """Define a new letter as a sum over an index."""
        term = self._expression(letter, term)
        return self._made_over(letter, Fold("sum", over, sympy.S.Zero, letter + term, term), term)

    def product(self, letter: Letter, over: str, term: Any) -> Letter:
        """Define a new letter as a product over an index."""
        term = self._expression(letter, term)
        return self._made_over(letter, Fold("product", over, sympy.S.One, letter * term, term), term)

    def chain(self, letter: Letter, over: str, start: Any, following: Any) -> Letter:
        """Define a new letter by steps along an index: from `start` on, each step makes
        `following` of it, in which the letter is what there is so far.
        """
        start, following = self._expression(letter, start), self._expression(letter, following)
        return self._made_over(letter, Fold("chain", over, start, following), following)

    def before(self, letter: Letter, of: Letter) -> Letter:
        """Define a new letter as what there is of a sum, product or recursion before each value of
        its index, so that facts may speak of neighbours: an `along` over this index knows it.
        """
        if of not in self.folds:
            self._refuse(f'"{letter}" comes before "{of}", which is not made along an index')
        self._fresh(letter, of)
        self.definitions[letter] = Before(of)
        return letter

    def moving(self, along: Letter, before: Letter, letters: Mapping[Any, Any]) -> None:
        """Say which letters are functions of what is made along an index, in the order in which
        they are made, each with the three letters that are made alike: of its start, of what there
        is `before` each value, and of what there is after it.
        """
        fold, made = self.folds.get(along), self.definitions.get(before)
        if fold is None or made != Before(along):
            self._refuse(f'"{before}" is not what there is of {along} before each value')
        after = fold.following.xreplace({along: before})
        for moment, put in enumerate(({along: fold.start}, {along: before}, {along: after})):
            for x, images in letters.items():
                self._moves(x, fold.over, put)
                put[x] = images[moment]
                mine, theirs = self.definitions[x], self.definitions.get(images[moment])
                if (mine.put(put) if isinstance(mine, Fold) else mine.xreplace(put)) != theirs:
                    self._refuse(f'"{images[moment]}" is not made as {x} is')
        self.movings.append(Moving(along, before, dict(letters)))

    def _moves(self, x: Letter, over: str, put: Mapping[Any, Any]) -> None:
        """Refuse a letter that depends on more of what is made along an index."""
        made = self.definitions.get(x)
        along = {y for y, fold in self.folds.items() if fold.over == over}
        others = [y for y in self.parts(x) - {x} if y not in put and {*self.made_of(y)} & along]
        if made is None or (isinstance(made, Made) and not isinstance(made, Fold)):
            self._refuse(f'"{x}" is no expression, sum or product')
        if others or x in along or over in self._its(x) or getattr(made, "kind", "") == "chain":
            self._refuse(f'"{x}" depends on more than one place along {over}')

    def made_of(self, letter: Letter) -> set[Any]:
        """A letter and all letters of which it is made."""
        return {letter}.union(*map(self.made_of, self.parts(letter) - {letter}))

    def largest(self, letter: Letter, over: str, term: Any) -> Letter:
        """Define a new letter as the largest of the terms over an index."""
        term = self._expression(letter, term)
        return self._made_over(letter, Extreme("largest", over, term), term)

    def least(self, letter: Letter, over: str, term: Any) -> Letter:
        """Define a new letter as the least of the terms over an index."""
        term = self._expression(letter, term)
        return self._made_over(letter, Extreme("least", over, term), term)

    def at(self, letter: Letter, original: Letter, index: str) -> Letter:
        """Define a new letter as another one at a second value of an index: with
        `indices={"x": "the values", "y": "x"}` and an original f[x], the new letter is f[y].
        """
        self._expression(letter, original)
        if not isinstance(original, Letter):
            self._refuse(f'"{letter}" is another letter at {index}: {original} is none')
        self._fresh(letter, original, domain=original.bounds)
        first = self._first(str(letter), index)
        if first not in (its := self._its(original)) or index in its:
            self._refuse(f'"{letter}": {original} must depend on {first}, and not on {index}')
        self.definitions[letter] = Copy(original, first, index)
        return letter

    def indices_of(self, expression: Any) -> set[str]:
        """The indices on which an expression depends."""
        if expression.has(sympy.Float):
            self._refuse(f"{expression} has a float: write a fraction, Rational(1, 3)")
        powers = [each for each in expression.atoms(sympy.Pow) if each.exp.is_Integer]
        if any(each.base.is_number or each.base.is_Pow for each in powers):
            self._refuse(f"{expression} has a power that is not worked out: write 2*x, not x/(1/2)")
        return set().union(*map(self._its, expression.free_symbols))

    def order_of(self, letter: Letter) -> tuple[str, ...]:
        """The indices of a letter, in order: a letter that is made of one other has its order."""
        if letter in self.letters:
            return self.letters[letter]
        its, parts = self._its(letter), self.parts(letter) - {letter}
        if len(parts) == 1 and self._its(*parts) == its:
            return self.order_of(*parts)
        return self.order(its)

    def order(self, its: Iterable[str]) -> tuple[str, ...]:
        """Indices in the order in which the argument has them."""
        return tuple(sorted(its, key=[*self.indices].index))

    def shown(self, letter: Letter) -> tuple[str, tuple[str, ...]]:
        """The name and the indices by which a letter is shown: a copy by those of its original."""
        made = self.definitions.get(letter)
        if not isinstance(made, Copy):
            return letter.name, self.order_of(letter)
        name, indices = self.shown(made.of)
        return name, tuple(made.to if each == made.over else each for each in indices)

    def made_in(self, formulas: Sequence[Any]) -> list[Letter]:
        """The defined letters on which formulas depend, those first of which others are made."""
        wanted = set().union(*(each.free_symbols for each in formulas))
        for x in reversed([*self.letters, *self.definitions]):
            if x in wanted:
                wanted |= self.parts(x)
        return [each for each in self.definitions if each in wanted]

    @property
    def lets(self) -> dict[Letter, Any]:
        """The letters that are defined by expressions."""
        return {x: each for x, each in self.definitions.items() if not isinstance(each, Made)}

    @property
    def folds(self) -> dict[Letter, Fold]:
        """The letters that are made along an index."""
        return {x: each for x, each in self.definitions.items() if isinstance(each, Fold)}

    @property
    def befores(self) -> dict[Letter, Before]:
        """The letters that say what there is of others before each value of an index."""
        return {x: each for x, each in self.definitions.items() if isinstance(each, Before)}

    def _expression(self, letter: Any, given: Any) -> sympy.Expr:
        """What a letter is defined to be: numbers of Python are read as well."""
        if not isinstance(letter, Letter):
            self._refuse(f"expected a letter to define, found {letter!r}")
        if isinstance(given, int | Fraction) and not isinstance(given, bool):
            return sympy.sympify(given, strict=True)
        if not isinstance(given, sympy.Expr):
            self._refuse(f'"{letter}" needs an expression, a whole number or a Fraction: {given!r}')
        return given

    def _formula(self, name: str, given: Any) -> Any:
        """What a fact says."""
        if not isinstance(given, Boolean):
            self._refuse(f'"{name}" needs a formula, such as x <= y, found {given!r}')
        return given

    def _refuse(self, text: str) -> NoReturn:
        raise ModelError(f"linked argument ({self.about}): {text}")

    def _its(self, letter: Any) -> set[str]:
        if letter in self.letters:
            return set(self.letters[letter])
        if letter not in self.definitions:
            raise ModelError(f'linked argument ({self.about}): "{letter}" is no letter of it')
        its = set[str]().union(*map(self._its, self.parts(letter) - {letter}))
        made = self.definitions[letter]
        if isinstance(made, Before):
            return its | {self.folds[made.of].over}
        if isinstance(made, Copy):
            its |= {made.to}
        return its - {made.over} if isinstance(made, Fold | Extreme | Copy) else its

    def parts(self, letter: Letter) -> set[Any]:
        """The letters of which a letter is made at once."""
        made = self.definitions.get(letter)
        if isinstance(made, Made):
            return made.made_of
        return set() if made is None else set(made.free_symbols)

    def _first(self, name: str, index: str) -> str:
        if index not in self.same:
            self._refuse(f'"{name}": {index} is no second value of an index')
        return self.same[index]

    def _fresh(self, letter: Letter, *made_of: Any, domain: Any = ()) -> None:
        if self.then is not None:
            self._refuse(f'"{letter}" is defined after the conclusion')
        if letter in self.letters or letter in self.definitions:
            self._refuse(f'"{letter}" is not new')
        if letter.bounds != domain:
            self._refuse(f'"{letter}" is defined, and has a domain: show it in a step')
        self._is_name(letter.name)
        if letter.name in self.indices:
            self._refuse(f'a letter and an index are called "{letter}"')
        if letter.name in {each.name for each in (*self.letters, *self.definitions)}:
            self._refuse(f'two letters are called "{letter}"')
        for each in made_of:
            if letter in each.free_symbols:
                self._refuse(f'"{letter}" is defined by itself')
            self.indices_of(each)

    def _made_over(self, letter: Letter, made: Any, term: Any) -> Letter:
        if made.over not in self.indices:
            self._refuse(f'"{letter}" is made along "{made.over}", which is no index')
        start, others = getattr(made, "start", sympy.S.Zero), made.made_of - {letter}
        self._fresh(letter, start, *others)
        if letter in term.free_symbols and made.kind != "chain":
            self._refuse(f'"{letter}" is defined by itself')
        if made.over in self.indices_of(start):
            self._refuse(f'"{letter}" starts at {start}, which depends on {made.over}')
        if isinstance(made, Extreme) and made.over not in self.indices_of(term):
            self._refuse(f"{term} does not depend on {made.over}")
        if denominators(term, start):
            self._refuse(f'"{letter}" is made of a quotient: give the quotient a letter')
        self.definitions[letter] = made
        return letter
